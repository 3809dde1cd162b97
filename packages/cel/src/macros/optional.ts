// optMap and optFlatMap: compute on the value of an optional, if it has one.
import type { Expr } from '../ast.ts';
import type { Macro, MacroContext } from '../extension.ts';
import { operators } from '../operators.ts';
import { binding } from './bind.ts';

const onValue = (name: string, wrap: (context: MacroContext, bound: Expr) => Expr): Macro => ({
  name,
  receiver: true,
  args: 2,
  expand: (context, target, [variable, body]) => {
    if (variable!.kind !== 'ident')
      return context.fail(`${name}() variable name must be a simple identifier`, variable);
    const value = context.memberCall('value', context.copy(target!));
    const bound = binding(context, variable!.name, value, body!);
    return context.call(
      operators.conditional,
      context.memberCall('hasValue', target!),
      wrap(context, bound),
      context.call('optional.none'),
    );
  },
});

export const optMapMacro = onValue('optMap', (context, bound) => context.call('optional.of', bound));
export const optFlatMapMacro = onValue('optFlatMap', (_context, bound) => bound);
