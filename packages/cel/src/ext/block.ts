// cel.block([a, b], result): subexpressions that are computed at most once, when first used. cel.index(n)
// refers to one of them, and cel.iterVar(depth, n) is the name of a loop variable. Optimizers generate it; it
// is not written manually.
import type { Expr } from '../ast.ts';
import type { Library, Macro, MacroContext } from '../extension.ts';
import { binding } from '../macros/bind.ts';

const indexVariable = (index: number): string => `@index${index}`;

/** The macro `cel.<name>`; other receivers are not expanded. */
const celMacro = (
  name: string,
  args: number,
  expand: (context: MacroContext, args: readonly Expr[]) => Expr,
): Macro => ({
  name,
  receiver: true,
  args,
  expand: (context, target, given) =>
    target?.kind === 'ident' && target.name === 'cel' ? expand(context, given) : undefined,
});

function smallNumber(context: MacroContext, expr: Expr, what: string): number {
  const fits = expr.kind === 'literal' && typeof expr.value === 'number' && expr.value >= 0;
  return fits ? (expr.value as number) : context.fail(`${what} requires non-negative int constant arg`, expr);
}

const block = celMacro('block', 2, (context, [bindings, result]) => {
  if (bindings!.kind !== 'list')
    return context.fail('cel.block requires the first arg to be a list literal', bindings);
  return bindings!.elements.reduceRight(
    (inner, element, index) => binding(context, indexVariable(index), element, inner),
    result!,
  );
});

const index = celMacro('index', 1, (context, [at]) =>
  context.ident(indexVariable(smallNumber(context, at!, 'cel.index'))),
);

const iterVar = celMacro('iterVar', 2, (context, [depth, unique]) =>
  context.ident(
    `@it:${smallNumber(context, depth!, 'cel.iterVar')}:${smallNumber(context, unique!, 'cel.iterVar')}`,
  ),
);

/** `cel.block`, for optimizers: shared subexpressions. */
export const blockLibrary: Library = { name: 'block', macros: [block, index, iterVar] };
