// The expressions of an AuthenticationConfiguration: over the claims of a token, or over the user that they
// became.
import {
  anyType,
  boolType,
  CelError,
  CompileError,
  compile,
  type Environment,
  type Expr,
  listType,
  mapType,
  objectTypeOf,
  operators,
  type Program,
  sameType,
  stringType,
  type Value,
  visit,
} from '@instar/cel';
import { kubernetesEnvironment, perCallLimit } from '@instar/cel/kubernetes';

const USER = objectTypeOf('kubernetes.UserInfo', {
  username: stringType,
  uid: stringType,
  groups: listType(stringType),
  extra: mapType(stringType, listType(stringType)),
});

/** For a machine so slow that cost says nothing about time. */
const MAX_MS = 1_000;

let environments: Readonly<Record<'claims' | 'user', Environment>> | undefined;

function environmentFor(variable: 'claims' | 'user'): Environment {
  environments ??= {
    claims: kubernetesEnvironment().extend({ variables: { claims: mapType(stringType, anyType) } }),
    user: kubernetesEnvironment().extend({ variables: { user: USER } }),
  };
  return environments[variable];
}

/** A compiled expression. */
export class ClaimExpression {
  readonly text: string;
  readonly #variable: 'claims' | 'user';
  readonly #program: Program;

  private constructor(text: string, variable: 'claims' | 'user', program: Program) {
    this.text = text;
    this.#variable = variable;
    this.#program = program;
  }

  /** Returns why it cannot be used, in the words of kube-apiserver. */
  static compile(
    text: string,
    variable: 'claims' | 'user',
    mustBeBool: boolean,
  ): ClaimExpression | { readonly fault: string } {
    try {
      const program = compile(text, environmentFor(variable));
      if (mustBeBool && !sameType(program.type, boolType)) return { fault: 'must evaluate to bool' };
      return new ClaimExpression(text, variable, program);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { fault: `compilation failed: ${error.message}` };
    }
  }

  /** Throws if it fails. */
  evaluate(value: unknown): Value {
    const limits = { maxCost: perCallLimit, deadline: Date.now() + MAX_MS };
    const result = this.#program.evaluate({ [this.#variable]: value }, limits).value;
    if (result instanceof CelError)
      throw new Error(`expression '${this.text}' resulted in error: ${result.message}`);
    return result;
  }

  /** Whether it reads this claim by `claims.NAME` or `claims.?NAME`. */
  uses(claim: string): boolean {
    let isUsed = false;
    visit(this.#program.checked.expr, (expr) => {
      isUsed ||= claimOf(expr) === claim;
    });
    return isUsed;
  }
}

function claimOf(expr: Expr): unknown {
  if (expr.kind === 'select') return isClaims(expr.operand) ? expr.field : undefined;
  if (expr.kind !== 'call' || expr.name !== operators.optSelect) return undefined;
  const [operand, name] = expr.args;
  return operand !== undefined && isClaims(operand) && name?.kind === 'literal' ? name.value : undefined;
}

const isClaims = (expr: Expr): boolean => expr.kind === 'ident' && expr.name === 'claims';
