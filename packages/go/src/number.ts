// Numbers as text, by the rules of Go's fmt and strconv.

/** A float64 as %v prints it: the shortest text that reads back as the same, with an exponent from 1e6 on. */
export function printFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  // Between these JavaScript prints what Go prints.
  if (size >= 1e-4 && size < 1e6) return value.toString();
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** A number from JSON as %v prints it: integers are int64, everything else is float64. */
export function printGoNumber(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? value.toString() : printFloat(value);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)$/;
const NAMED = /^([+-]?)(inf|infinity|nan)$/i;
/** Underscores must be between digits; the prefix of a hexadecimal number counts as a digit. */
const MISPLACED_IN_DECIMAL = /(?<!\d)_|_(?!\d)/;
const MISPLACED_IN_HEXADECIMAL = /(?<![\da-fA-FxX])_|_(?![\da-fA-F])/;

/** Go's strconv.ParseFloat; undefined if it is not a number or out of range. */
export function parseFloat64(text: string): number | undefined {
  if (text.includes('_')) {
    const misplaced = /^[+-]?0x/i.test(text) ? MISPLACED_IN_HEXADECIMAL : MISPLACED_IN_DECIMAL;
    return misplaced.test(text) ? undefined : parseFloat64(text.replaceAll('_', ''));
  }
  if (DECIMAL.test(text)) return finite(Number(text));
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal !== null) return parseHexadecimal(hexadecimal);
  const name = NAMED.exec(text);
  if (name === null) return undefined;
  if (name[2]!.toLowerCase() === 'nan') return name[1] === '' ? Number.NaN : undefined;
  return name[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

function parseHexadecimal([, sign, whole, fraction, power]: readonly string[]): number | undefined {
  if (`${whole}${fraction}` === '') return undefined;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const exponent = Number(power) - 4 * fraction!.length;
  // In two steps: a power of two alone may be too large or too small where the product is not.
  const half = Math.trunc(exponent / 2);
  const value = mantissa === 0 ? 0 : finite(mantissa * 2 ** half * 2 ** (exponent - half));
  return value !== undefined && sign === '-' ? -value : value;
}

const MAX_INT64_DIGITS = 19;

/**
 * Decimal digits (none are 0) up to `max`, which fits 64 bits; undefined beyond it. The length is checked
 * first, so that many digits take no longer.
 */
export function parseDigits(digits: string, max: bigint): bigint | undefined {
  const significant = digits.replace(/^0+/, '');
  if (significant.length > MAX_INT64_DIGITS) return undefined;
  const value = BigInt(significant || '0');
  return value > max ? undefined : value;
}
