// proto.getExt(message, name) and proto.hasExt(message, name): fields that another file adds to a message.
import type { Expr } from '../ast.ts';
import { qualifiedName } from '../check/qualified-name.ts';
import type { Macro, MacroContext } from '../extension.ts';

const extensionMacro = (
  name: string,
  expand: (context: MacroContext, message: Expr, field: string) => Expr,
): Macro => ({
  name,
  receiver: true,
  args: 2,
  expand: (context, target, [message, field]) => {
    if (target?.kind !== 'ident' || target.name !== 'proto') return undefined;
    const extension = field!.kind === 'select' ? qualifiedName(field!) : undefined;
    return extension === undefined
      ? context.fail('invalid extension field', field)
      : expand(context, message!, extension);
  },
});

export const extensionMacros: readonly Macro[] = [
  extensionMacro('getExt', (context, message, field) => context.select(message, field)),
  extensionMacro('hasExt', (context, message, field) => context.test(message, field)),
];
