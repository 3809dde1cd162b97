// Checks beyond types that an environment may enable: literals that always fail, and mixed list and map
// literals.
import type { Call, Expr } from '../ast.ts';
import type { Overload } from '../extension.ts';
import { compilePattern } from '../stdlib/regex.ts';
import { CelError } from '../values/error.ts';
import { type CelType, formatType, isOptionalType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { CheckedExpression, ExpressionValidator } from './expression-validator.ts';
import { childrenOf, visit } from './walk.ts';

/**
 * Checks calls of the function with a literal as their first argument: `attempt` returns the error that they
 * always have.
 */
const literalArgument =
  (name: string, attempt: (value: Value, overload: Overload | undefined) => unknown): ExpressionValidator =>
  (checked) =>
    visit(checked.expr, (expr) => {
      if (expr.kind !== 'call' || checked.callOf(expr).name !== name) return;
      const arg = expr.args[0];
      if (
        arg?.kind !== 'literal' ||
        !(attempt(arg.value, checked.callOf(expr).overloads[0]) instanceof CelError)
      )
        return;
      checked.issues.reportAt(arg.offset, `invalid ${name} argument`);
    });

const attemptCall = (value: Value, overload: Overload | undefined): unknown => overload?.call(value);

/** Reports literal arguments of `duration` that cannot be parsed. */
export const validateDurationLiterals = literalArgument('duration', attemptCall);

/** Reports literal arguments of `timestamp` that cannot be parsed. */
export const validateTimestampLiterals = literalArgument('timestamp', attemptCall);

/** Reports literal arguments of `matches` that are not regular expressions. */
export const validateRegexLiterals = literalArgument(
  'matches',
  (value) => typeof value === 'string' && compilePattern(value),
);

/**
 * Elements of list literals, and keys and values of map literals, agree in type; arguments of format() need
 * not.
 */
export const validateHomogeneousLiterals: ExpressionValidator = (checked) =>
  lookForMixed(checked, checked.expr);

function lookForMixed(checked: CheckedExpression, expr: Expr): void {
  if (expr.kind === 'list') {
    agree(checked, expr.elements, (element, index) =>
      elementType(checked, element, expr.optional.has(index)),
    );
  } else if (expr.kind === 'map') {
    agree(
      checked,
      expr.entries.map((entry) => entry.key),
      (key) => checked.typeOf(key),
    );
    agree(
      checked,
      expr.entries.map((entry) => entry.value),
      (value, index) => elementType(checked, value, expr.entries[index]!.optional),
    );
  }
  for (const child of childrenOf(expr)) if (!isFormatArgument(expr, child)) lookForMixed(checked, child);
}

function isFormatArgument(parent: Expr, child: Expr): boolean {
  return parent.kind === 'call' && (parent as Call).name === 'format' && child.kind === 'list';
}

function elementType(checked: CheckedExpression, expr: Expr, optional: boolean): CelType {
  const type = checked.typeOf(expr);
  return optional && isOptionalType(type) ? type.params[0]! : type;
}

function agree(
  checked: CheckedExpression,
  exprs: readonly Expr[],
  typeOf: (expr: Expr, index: number) => CelType,
): void {
  let first: CelType | undefined;
  for (const [index, expr] of exprs.entries()) {
    const type = typeOf(expr, index);
    first ??= type;
    if (agrees(first, type)) continue;
    checked.issues.reportAt(
      expr.offset,
      `expected type '${formatType(first)}' but found '${formatType(type)}'`,
    );
    return;
  }
}

/** Unlike where types are assigned, dyn agrees only with dyn. */
function agrees(a: CelType, b: CelType): boolean {
  if (a.kind === 'param' && b.kind === 'param') return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.nullable === b.nullable &&
    a.params.length === b.params.length &&
    a.params.every((p, i) => agrees(p, b.params[i]!))
  );
}
