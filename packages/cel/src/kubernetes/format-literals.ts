/**
 * Checks calls of format() whose text and list of arguments are literals: every clause needs an argument of a
 * type that it can write, and every argument a clause. What is only known at run time fails at run time.
 */
import type { Call, Expr } from '../ast.ts';
import type { CheckedExpression, ExpressionValidator } from '../check/expression-validator.ts';
import { visit } from '../check/walk.ts';
import type { Kind } from '../values/types.ts';

interface Clause {
  readonly kinds: readonly Kind[];
  readonly error: string;
}

const doubles: readonly Kind[] = ['double', 'string'];
const integers: readonly Kind[] = ['int', 'uint'];

const clauses = new Map<string, Clause>([
  [
    's',
    {
      kinds: [
        'list',
        'map',
        'int',
        'uint',
        'double',
        'bool',
        'string',
        'timestamp',
        'bytes',
        'duration',
        'type',
        'null',
      ],
      error:
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    },
  ],
  ['d', { kinds: integers, error: 'decimal clause can only be used on integers' }],
  // NaN and the infinities may be given as strings.
  ['f', { kinds: doubles, error: 'fixed-point clause can only be used on doubles' }],
  ['e', { kinds: doubles, error: 'scientific clause can only be used on doubles' }],
  ['b', { kinds: [...integers, 'bool'], error: 'only integers and bools can be formatted as binary' }],
  [
    'x',
    {
      kinds: [...integers, 'string', 'bytes'],
      error: 'only integers, byte buffers, and strings can be formatted as hex',
    },
  ],
  [
    'X',
    {
      kinds: [...integers, 'string', 'bytes'],
      error: 'only integers, byte buffers, and strings can be formatted as hex',
    },
  ],
  ['o', { kinds: integers, error: 'octal clause can only be used on integers' }],
]);

interface Fault {
  readonly at: Expr;
  readonly message: string;
}

export const validateFormatLiterals: ExpressionValidator = (checked) =>
  visit(checked.expr, (expr) => {
    if (expr.kind !== 'call' || expr.name !== 'format') return;
    const { target, args } = expr;
    if (target?.kind !== 'literal' || typeof target.value !== 'string' || args[0]?.kind !== 'list') return;
    const fault = formatFault(checked, expr, target.value, args[0].elements);
    if (fault !== undefined) checked.issues.reportAt(fault.at.offset, fault.message);
  });

function formatFault(
  checked: CheckedExpression,
  call: Call,
  text: string,
  args: readonly Expr[],
): Fault | undefined {
  let next = 0;
  for (const [written, precision, letter] of text.matchAll(/%(?:%|(\.[0-9]*)?(.?))/gsu)) {
    if (written === '%%') continue;
    const fault = clauseFault(checked, call, {
      precision,
      letter: letter ?? '',
      arg: args[next],
      index: next,
    });
    if (fault !== undefined) return fault;
    next++;
  }
  if (args.length <= next) return undefined;
  return {
    at: call,
    message: `too many arguments supplied to string.format (expected ${next}, got ${args.length})`,
  };
}

interface WrittenClause {
  readonly precision: string | undefined;
  readonly letter: string;
  readonly arg: Expr | undefined;
  readonly index: number;
}

function clauseFault(
  checked: CheckedExpression,
  call: Call,
  { precision, letter, arg, index }: WrittenClause,
): Fault | undefined {
  if (letter === '' && precision === undefined) return { at: call, message: 'unexpected end of string' };
  if (arg === undefined) return { at: call, message: `index ${index} out of range` };
  const clause = clauses.get(letter);
  if (precision === '.' || letter === '' || clause === undefined) {
    return { at: call, message: `could not parse formatting clause: ${syntaxError(precision, letter)}` };
  }
  const wrong = unwritable(checked, arg, clause, letter === 's');
  if (wrong === undefined) return undefined;
  return {
    at: wrong,
    message: `error during formatting: ${clause.error}, was given ${checked.typeOf(wrong).name}`,
  };
}

function syntaxError(precision: string | undefined, letter: string): string {
  if (precision !== undefined && letter === '')
    return 'error while parsing precision: could not find end of precision specifier';
  if (precision === '.') {
    return 'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
  }
  return `unrecognized formatting clause "${letter}"`;
}

/** The part of an argument that a clause cannot write, looking into literals of lists and maps. */
function unwritable(checked: CheckedExpression, arg: Expr, clause: Clause, deep: boolean): Expr | undefined {
  const { kind } = checked.typeOf(arg);
  if (kind !== 'dyn' && !clause.kinds.includes(kind)) return arg;
  if (!deep) return undefined;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = unwritable(checked, part, clause, true);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
