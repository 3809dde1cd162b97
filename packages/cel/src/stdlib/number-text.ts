// Numbers as text and back, where CEL differs from Go's fmt and strconv.

/** Without an exponent, whatever the size. */
export function plainDecimal(digits: string, power: number): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const figures = digits.replace('-', '').replace('.', '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${figures}`;
  const whole = figures.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = figures.slice(power + 1);
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

export function parseInteger(text: string, signed: boolean): bigint | undefined {
  if (text.length > 100 || !(signed ? /^[+-]?\d+$/ : /^\d+$/).test(text)) return undefined;
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}
