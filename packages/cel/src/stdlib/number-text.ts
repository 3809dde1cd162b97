// Doubles as text, and text as numbers, by the rules of Go's strconv.

/** The shortest text that reads back as the same double; an exponent below 1e-4 and from 1e6 on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 6)
    return `${digits}e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`;
  return plainDecimal(digits, power);
}

/** Without an exponent, whatever the size. */
export function plainDecimal(digits: string, power: number): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const figures = digits.replace('-', '').replace('.', '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${figures}`;
  const whole = figures.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = figures.slice(power + 1);
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const named = /^([+-]?)(inf|infinity|nan)$/i;

/** Undefined when it is no number or does not fit. */
export function parseDouble(text: string): number | undefined {
  if (decimal.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const name = named.exec(text);
  if (name === null) return undefined;
  if (name[2]!.toLowerCase() === 'nan') return name[1] === '' ? Number.NaN : undefined;
  return name[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function parseInteger(text: string, signed: boolean): bigint | undefined {
  if (text.length > 100 || !(signed ? /^[+-]?\d+$/ : /^\d+$/).test(text)) return undefined;
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}
