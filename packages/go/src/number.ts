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
const NAMED = /^([+-]?)(inf|infinity|nan)$/i;

/** Go's strconv.ParseFloat without hexadecimals; undefined for what is not a number or does not fit. */
export function parseFloat64(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const name = NAMED.exec(text);
  if (name === null) return undefined;
  if (name[2]!.toLowerCase() === 'nan') return name[1] === '' ? Number.NaN : undefined;
  return name[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
