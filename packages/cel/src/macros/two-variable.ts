// Comprehensions over index and element, or key and value: all, exists, existsOne, transformList,
// transformMap, transformMapEntry.
import type { Expr } from '../ast.ts';
import type { Macro, MacroContext } from '../extension.ts';
import { operators } from '../operators.ts';
import { collecting, iterationVariable, type LoopShape, quantifiers } from './standard.ts';

export const mapInsert = 'cel.@mapInsert';

function twoVariables(
  context: MacroContext,
  first: Expr,
  second: Expr,
): { iterVar: string; iterVar2: string } {
  const simpleName = 'argument must be a simple name';
  if (first.kind !== 'ident') return context.fail(simpleName, first);
  if (second.kind !== 'ident') return context.fail(simpleName, second);
  if (first.name === second.name) return context.fail(`duplicate variable name: ${first.name}`, second);
  return {
    iterVar: iterationVariable(context, first, simpleName),
    iterVar2: iterationVariable(context, second, simpleName),
  };
}

const quantifier = (name: string, shape: (c: MacroContext, predicate: Expr) => LoopShape): Macro => ({
  name,
  receiver: true,
  args: 3,
  expand: (context, target, [first, second, predicate]) =>
    context.comprehension({
      range: target!,
      ...twoVariables(context, first!, second!),
      ...shape(context, predicate!),
    }),
});

/** Inserts into a map if `filter` is true. */
function inserting(c: MacroContext, filter: Expr | undefined, ...entry: Expr[]): LoopShape {
  const step = c.call(mapInsert, c.accu(), ...entry);
  return {
    init: c.map(),
    condition: c.literal(true),
    step: filter === undefined ? step : c.call(operators.conditional, filter, step, c.accu()),
    result: c.accu(),
  };
}

const transform = (
  name: string,
  args: 3 | 4,
  shape: (c: MacroContext, key: Expr, element: Expr, filter: Expr | undefined) => LoopShape,
): Macro => ({
  name,
  receiver: true,
  args,
  expand: (context, target, given) => {
    const variables = twoVariables(context, given[0]!, given[1]!);
    const filter = args === 4 ? given[2] : undefined;
    const key = context.ident(variables.iterVar);
    return context.comprehension({
      range: target!,
      ...variables,
      ...shape(context, key, given[args - 1]!, filter),
    });
  },
});

const transforms = ([3, 4] as const).flatMap((args) => [
  transform('transformList', args, (c, _key, element, filter) => collecting(c, element, filter)),
  transform('transformMap', args, (c, key, element, filter) => inserting(c, filter, key, element)),
  transform('transformMapEntry', args, (c, _key, element, filter) => inserting(c, filter, element)),
]);

export const twoVariableMacros: readonly Macro[] = [
  quantifier('all', quantifiers.all),
  quantifier('exists', quantifiers.exists),
  quantifier('existsOne', quantifiers.existsOne),
  quantifier('exists_one', quantifiers.existsOne),
  ...transforms,
];
