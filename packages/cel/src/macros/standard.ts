// The macros of the language itself: has, all, exists, exists_one, map, filter.
import { accumulator, type Expr } from '../ast.ts';
import type { Macro, MacroContext } from '../extension.ts';
import { operators } from '../operators.ts';

export function iterationVariable(context: MacroContext, arg: Expr, notAName: string): string {
  if (arg.kind !== 'ident') return context.fail(notAName, arg);
  if (arg.name === accumulator || arg.name === '__result__')
    return context.fail('iteration variable overwrites accumulator variable', arg);
  return arg.name;
}

const simpleName = 'argument must be a simple name';
const notIdentifier = 'argument is not an identifier';

const has: Macro = {
  name: 'has',
  receiver: false,
  args: 1,
  expand(context, _target, [arg]) {
    if (arg!.kind !== 'select' || arg!.test) return context.fail('invalid argument to has() macro', arg);
    return context.test(arg!.operand, arg!.field);
  },
};

export interface LoopShape {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** How each quantifier folds its predicate, with one or two variables. */
export const quantifiers = {
  all: (c: MacroContext, predicate: Expr): LoopShape => ({
    init: c.literal(true),
    condition: c.call(operators.notStrictlyFalse, c.accu()),
    step: c.call(operators.and, c.accu(), predicate),
    result: c.accu(),
  }),
  exists: (c: MacroContext, predicate: Expr): LoopShape => ({
    init: c.literal(false),
    condition: c.call(operators.notStrictlyFalse, c.call(operators.not, c.accu())),
    step: c.call(operators.or, c.accu(), predicate),
    result: c.accu(),
  }),
  existsOne: (c: MacroContext, predicate: Expr): LoopShape => ({
    init: c.literal(0),
    condition: c.literal(true),
    step: c.call(operators.conditional, predicate, c.call(operators.add, c.accu(), c.literal(1)), c.accu()),
    result: c.call(operators.equals, c.accu(), c.literal(1)),
  }),
};

/** Collects `element` into a list if `filter` is true. */
export const collecting = (c: MacroContext, element: Expr, filter: Expr | undefined): LoopShape => {
  const step = c.call(operators.add, c.accu(), c.list(element));
  return {
    init: c.list(),
    condition: c.literal(true),
    step: filter === undefined ? step : c.call(operators.conditional, filter, step, c.accu()),
    result: c.accu(),
  };
};

const quantifier = (name: string, shape: (c: MacroContext, predicate: Expr) => LoopShape): Macro => ({
  name,
  receiver: true,
  args: 2,
  expand: (context, target, [variable, predicate]) => {
    const iterVar = iterationVariable(context, variable!, simpleName);
    return context.comprehension({ range: target!, iterVar, ...shape(context, predicate!) });
  },
});

const map = (args: 2 | 3): Macro => ({
  name: 'map',
  receiver: true,
  args,
  expand: (context, target, given) => {
    const iterVar = iterationVariable(context, given[0]!, notIdentifier);
    const filter = args === 3 ? given[1] : undefined;
    return context.comprehension({
      range: target!,
      iterVar,
      ...collecting(context, given[args - 1]!, filter),
    });
  },
});

const filter: Macro = {
  name: 'filter',
  receiver: true,
  args: 2,
  expand: (context, target, [variable, predicate]) => {
    const iterVar = iterationVariable(context, variable!, notIdentifier);
    return context.comprehension({ range: target!, iterVar, ...collecting(context, variable!, predicate!) });
  },
};

export const standardMacros: readonly Macro[] = [
  has,
  quantifier('all', quantifiers.all),
  quantifier('exists', quantifiers.exists),
  quantifier('exists_one', quantifiers.existsOne),
  quantifier('existsOne', quantifiers.existsOne),
  map(2),
  map(3),
  filter,
];
