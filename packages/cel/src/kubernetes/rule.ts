/**
 * Rules of a schema node: compiled once against the types that the schema declares, with their worst-case
 * cost, and run on objects. packages/schema decides which rules run when, reports failures and sums budgets
 * over an object.
 */

import type { Environment } from '../environment.ts';
import { type Checked, CompileError, compile, type Program, visit } from '../index.ts';
import { Interrupted } from '../meter.ts';
import { compilePattern } from '../stdlib/regex.ts';
import { boolType, type CelType, optionalType, sameType, stringType } from '../values/types.ts';
import { CelError, Optional, type Value } from '../values.ts';
import { kubernetesEnvironment } from './environment.ts';
import { maxRequestBytes, perCallLimit } from './limits.ts';
import { declaredSizes } from './schema/declared-sizes.ts';
import type { DeclaredType } from './schema/declared-type.ts';
import { type TypedSchema, typedSchema } from './schema/typed-schema.ts';

export interface RuleSource {
  readonly rule: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
}

interface CompiledExpression {
  readonly program: Program;
  /** The maximum cost of one evaluation, by the estimate. */
  readonly maxCost: number;
}

/** A validation rule, compiled, with its message expression and cost. */
export interface CompiledRule {
  /** Undefined for a blank rule, and for one that does not compile: then `error` is set. */
  readonly rule: CompiledExpression | undefined;
  readonly error: string | undefined;
  readonly messageExpression: CompiledExpression | undefined;
  readonly messageExpressionError: string | undefined;
  /** A transition rule, which runs only if there is an old value. */
  readonly usesOldSelf: boolean;
  readonly optionalOldSelf: boolean;
}

/** Upstream includes the time in the name, so that clients cannot rely on it. */
const selfTypeName = 'selfType';

/** What the rules of one schema node can refer to. */
export class RuleScope {
  /**
   * The maximum number of values of the node in a request, by which the cost of an unbounded rule is
   * multiplied.
   */
  readonly maxCardinality: number;
  private readonly typed: TypedSchema;
  private readonly declared: DeclaredType;
  private readonly environments = new Map<boolean, Environment>();

  constructor(declared: DeclaredType) {
    this.declared = declared;
    this.typed = typedSchema(declared, selfTypeName);
    this.maxCardinality = Math.floor(maxRequestBytes / (declared.minSerializedSize + 1));
  }

  compile(source: RuleSource): CompiledRule {
    const optionalOldSelf = source.optionalOldSelf === true;
    const environment = this.environment(optionalOldSelf);
    const blank = source.rule.trim() === '';
    const rule = blank ? undefined : attempt(source.rule, environment, boolType, ruleTexts);
    const compiled = typeof rule === 'string' ? undefined : rule;
    const message =
      compiled === undefined || !source.messageExpression
        ? undefined
        : attempt(source.messageExpression, environment, stringType, messageTexts);
    return {
      rule: compiled,
      error: typeof rule === 'string' ? rule : undefined,
      messageExpression: typeof message === 'string' ? undefined : message,
      messageExpressionError: typeof message === 'string' ? message : undefined,
      usesOldSelf: compiled !== undefined && refersTo(compiled.program.checked, 'oldSelf'),
      optionalOldSelf,
    };
  }

  /** A value of the node, for any number of evaluations. */
  read(raw: unknown): Value {
    return this.typed.read(raw);
  }

  private environment(optionalOldSelf: boolean): Environment {
    let environment = this.environments.get(optionalOldSelf);
    if (environment === undefined) {
      const self = this.typed.type;
      const oldSelf: CelType = optionalOldSelf ? optionalType(self) : self;
      environment = kubernetesEnvironment().extend({
        variables: { self, oldSelf },
        sizes: declaredSizes(this.declared),
      });
      this.environments.set(optionalOldSelf, environment);
    }
    return environment;
  }
}

interface Texts {
  readonly compilation: string;
  readonly program: string;
  readonly type: string;
}

const ruleTexts: Texts = {
  compilation: 'compilation failed: ',
  program: 'program instantiation failed: ',
  type: 'cel expression must evaluate to a bool',
};
const messageTexts: Texts = {
  compilation: 'messageExpression compilation failed: ',
  program: 'messageExpression instantiation failed: ',
  type: 'messageExpression must evaluate to a string',
};

/** The expression, or the text of the error. */
function attempt(
  text: string,
  environment: Environment,
  type: CelType,
  texts: Texts,
): CompiledExpression | string {
  try {
    const program = compile(text, environment);
    if (!sameType(program.type, type)) return texts.type;
    const regexError = literalPatternError(program.checked);
    return regexError === undefined ? { program, maxCost: program.cost.max } : texts.program + regexError;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return (error.stage === 'program' ? texts.program : texts.compilation) + error.message;
  }
}

/** find() and findAll() compile their literal patterns with the program, and fail then. */
function literalPatternError(checked: Checked): string | undefined {
  let error: string | undefined;
  visit(checked.expr, (expr) => {
    if (expr.kind !== 'call' || (expr.name !== 'find' && expr.name !== 'findAll')) return;
    const pattern = expr.args[0];
    if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string') return;
    const compiled = compilePattern(pattern.value);
    if (compiled instanceof CelError) error ??= compiled.message;
  });
  return error;
}

function refersTo(checked: Checked, name: string): boolean {
  for (const identifier of checked.identifiers.values()) if (identifier.name === name) return true;
  return false;
}

export interface RuleOutcome {
  /** The result; undefined if there is an error. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly cost: number;
}

export interface RuleRun {
  readonly self: Value;
  /** Undefined if there is no old value. */
  readonly oldSelf?: Value | undefined;
  readonly optionalOldSelf?: boolean;
  /** The deadline, as Date.now(). */
  readonly deadline?: number;
}

/**
 * Runs an expression once, within the limit of one call. The caller keeps budgets over several calls by the
 * returned cost.
 */
export function runExpression(expression: CompiledExpression, run: RuleRun): RuleOutcome {
  const oldSelf = run.optionalOldSelf === true ? new Optional(run.oldSelf) : run.oldSelf;
  const budget =
    run.deadline === undefined
      ? { maxCost: perCallLimit }
      : { maxCost: perCallLimit, deadline: run.deadline };
  const { value, cost } = expression.program.evaluate({ self: run.self, oldSelf }, budget);
  const failed = value instanceof CelError || value instanceof Interrupted;
  return { value: failed ? undefined : value, error: failed ? value.message : undefined, cost };
}
