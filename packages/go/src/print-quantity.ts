// Prints quantities in the canonical form of Kubernetes' resource.Quantity: no fraction, the largest suffix
// that loses nothing, the kind of suffix that was parsed (`0.5` is `500m`, `1024Mi` is `1Gi`).
import { compareQuantities, parseQuantity, type Quantity, quantityOfInteger } from './quantity.ts';
import { readSuffix, splitQuantity } from './quantity-syntax.ts';

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const FIRST_DECIMAL_EXPONENT = -9;

/** What Kubernetes answers where a client sent `text`, or the error. */
export function canonicalQuantity(text: string): { readonly text: string } | { readonly error: string } {
  const quantity = parseQuantity(text);
  if (typeof quantity === 'string') return { error: quantity };
  return { text: quantity.small && passesForCanonical(text) ? text : printQuantity(quantity) };
}

/** Upstream keeps the text of an amount that looks canonical, though `+3` and `1.500` are not. */
function passesForCanonical(text: string): boolean {
  const parts = splitQuantity(text)!;
  const suffix = readSuffix(parts.suffix);
  if (typeof suffix === 'string') return false;
  const digits = (parts.whole === '' ? '0' : parts.whole) + parts.fraction;
  if (suffix.format === 'BinarySI') return (BigInt(digits) & 7n) !== 0n;
  const scale = suffix.exponent - parts.fraction.length;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** The canonical text of an amount that was calculated. */
export function printQuantity(quantity: Quantity): string {
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const integer = integerOf(quantity);
    if (integer !== undefined && !isBelow1024(quantity)) return printBinary(integer);
  }
  return printDecimal(quantity);
}

/** Small binary amounts are printed in decimal units, as there is no binary suffix below Ki. */
const isBelow1024 = (quantity: Quantity): boolean =>
  compareQuantities(quantity, quantityOfInteger(-1024n)) > 0 &&
  compareQuantities(quantity, quantityOfInteger(1024n)) < 0;

function integerOf({ unscaled, scale }: Quantity): bigint | undefined {
  if (scale >= 0) return unscaled * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function printBinary(value: bigint): string {
  let [amount, power] = [value, 0];
  while (power < BINARY_SUFFIXES.length - 1 && amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${BINARY_SUFFIXES[power]}`;
}

function printDecimal({ unscaled, scale, format }: Quantity): string {
  const { amount, exponent } = inThousands(unscaled, scale);
  const suffix = DECIMAL_SUFFIXES[(exponent - FIRST_DECIMAL_EXPONENT) / 3];
  if (format !== 'DecimalExponent' && suffix !== undefined) return `${amount}${suffix}`;
  return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
}

/** The shortest integer amount whose exponent is a multiple of three. */
function inThousands(unscaled: bigint, scale: number): { amount: bigint; exponent: number } {
  let [amount, exponent] = [unscaled, scale];
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent--;
  }
  return { amount, exponent };
}
