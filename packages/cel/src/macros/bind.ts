// cel.bind(name, value, expression), and what it and the optional macros expand to: a loop that never runs,
// whose accumulator is the variable.
import type { Expr } from '../ast.ts';
import type { Macro, MacroContext } from '../extension.ts';

const unusedVariable = '#unused';

export function binding(context: MacroContext, name: string, value: Expr, result: Expr): Expr {
  return context.comprehension({
    range: context.list(),
    iterVar: unusedVariable,
    accuVar: name,
    init: value,
    condition: context.literal(false),
    step: context.ident(name),
    result,
  });
}

export const bindMacro: Macro = {
  name: 'bind',
  receiver: true,
  args: 3,
  expand: (context, target, [name, value, result]) => {
    if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
    if (name!.kind !== 'ident')
      return context.fail('cel.bind() variable names must be simple identifiers', name);
    return binding(context, name!.name, value!, result!);
  },
};
