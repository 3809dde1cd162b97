// resource.Quantity ("100m", "1.5Gi", "2e3"): read, compared and written in its canonical form, exactly. No
// arithmetic beyond that.

/** A value is `numerator / 10^9`: nothing smaller than a nano is kept, which is upstream's limit too. */
const SCALE = 9;
const UNIT = 10n ** 9n;

export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

export interface Quantity {
  /** In billionths. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
]);

/** Undefined if the text is no quantity; upstream's words for that are in QUANTITY_FAULT. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*|[eE][+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const scaled = scaleOf(suffix);
  if (scaled === undefined) return undefined;
  const digits = BigInt(`${whole}${fraction}`) << scaled.shift;
  const nanos = roundUp(digits, scaled.exponent - fraction.length + SCALE);
  return { nanos: sign === '-' ? -nanos : nanos, format: scaled.format };
}

export const QUANTITY_FAULT = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;

function scaleOf(suffix: string): { format: QuantityFormat; exponent: number; shift: bigint } | undefined {
  const shift = BINARY.get(suffix);
  if (shift !== undefined) return { format: 'BinarySI', exponent: 0, shift };
  const exponent = DECIMAL.get(suffix);
  if (exponent !== undefined) return { format: 'DecimalSI', exponent, shift: 0n };
  // An exponent beyond this is beyond any quantity that could be held.
  if (!/^[eE][+-]?\d{1,3}$/.test(suffix)) return undefined;
  return { format: 'DecimalExponent', exponent: Number(suffix.slice(1)), shift: 0n };
}

/** Away from zero, as upstream rounds what is finer than a nano. */
function roundUp(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}

/** Negative, zero or positive, by value alone. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1;
}

/** The shortest form with an integer before the suffix: 1500m, 1.5Gi becomes 1536Mi. */
export function printQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  if (format === 'BinarySI' && nanos % UNIT === 0n && magnitude(nanos) >= 1024n * UNIT)
    return printBinary(nanos / UNIT);
  return printDecimal(nanos, format === 'DecimalExponent');
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

function printBinary(value: bigint): string {
  let rest = value;
  let suffix = '';
  for (const [name] of BINARY) {
    if (rest % 1024n !== 0n) break;
    rest /= 1024n;
    suffix = name;
  }
  return `${rest}${suffix}`;
}

function printDecimal(nanos: bigint, asExponent: boolean): string {
  let rest = nanos;
  let exponent = -SCALE;
  while (rest % 1000n === 0n && exponent < 18) {
    rest /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)![0];
  return `${rest}${suffix}`;
}
