// Type checks the expressions of a policy against the kinds that it matches. Errors are reported only; they
// change nothing.
import type { CelType } from '@instar/cel';
import { declareType, type SchemaNode, typedSchema } from '@instar/cel/kubernetes';
import { type GroupVersionKind, printGvk } from '@instar/machinery';
import type { PolicySpec } from './policy.ts';
import { PolicyCompiler } from './policy-compiler.ts';

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** A kind that the expressions of a policy are checked against, with its schema. */
export interface CheckedKind {
  readonly kind: GroupVersionKind;
  /** Of the whole object, metadata included. */
  readonly schema: SchemaNode;
}

/** `params` is the schema of the paramKind, if it is known. */
export function checkTypes(
  spec: PolicySpec,
  kinds: readonly CheckedKind[],
  params: SchemaNode | undefined,
): ExpressionWarning[] {
  const paramsType = params === undefined ? undefined : typeFor(params, 'params');
  const compilers = kinds.map(({ kind, schema }) => ({
    kind,
    compiler: compilerFor(spec, typeFor(schema, kind.kind), paramsType),
  }));
  const check = (fieldRef: string, expression: string): ExpressionWarning[] => {
    const faults = compilers.flatMap(({ kind, compiler }) => {
      const { error } = compiler.any(expression);
      return error === undefined
        ? []
        : [`${printGvk(kind)}: ${error.replace(/^compilation failed: /, '')}\n`];
    });
    return faults.length === 0 ? [] : [{ fieldRef, warning: faults.join('\n') }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression = '' }, index) => [
    ...check(`spec.validations[${index}].expression`, expression),
    ...(messageExpression === ''
      ? []
      : check(`spec.validations[${index}].messageExpression`, messageExpression)),
  ]);
}

function typeFor(schema: SchemaNode, name: string): CelType | undefined {
  const declared = declareType(schema, true);
  return declared && typedSchema(declared, name).type;
}

function compilerFor(
  spec: PolicySpec,
  object: CelType | undefined,
  paramsType: CelType | undefined,
): PolicyCompiler {
  const variables = spec.variables ?? [];
  const types = { ...(object !== undefined && { object }), ...(paramsType !== undefined && { paramsType }) };
  const compiler = new PolicyCompiler({
    params: spec.paramKind !== undefined,
    hasVariables: variables.length > 0,
    types,
  });
  for (const variable of variables) compiler.variable(variable);
  return compiler;
}
