// Formats of identifiers and codes: UUIDs, ISBNs, credit cards, colors, names of Kubernetes objects.
import { validateDns1123Label, validateDns1123Subdomain } from '@instar/go';

const hexGroups = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');

const ANY = '[0-9a-f]{4}';
const VARIANT = '[89ab][0-9a-f]{3}';
const UUID3 = hexGroups('3[0-9a-f]{3}', ANY);
const UUID4 = hexGroups('4[0-9a-f]{3}', VARIANT);
const UUID5 = hexGroups('5[0-9a-f]{3}', VARIANT);

export const isUuid3 = (text: string): boolean => UUID3.test(text);
export const isUuid4 = (text: string): boolean => UUID4.test(text);
export const isUuid5 = (text: string): boolean => UUID5.test(text);
export const isBsonObjectId = (text: string): boolean => /^[0-9a-fA-F]{24}$/.test(text);
export const isSsn = (text: string): boolean =>
  text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text);
export const isHexColor = (text: string): boolean => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text);

export function isRgbColor(text: string): boolean {
  const parts = /^rgb\(([^()]*)\)$/.exec(text)?.[1]?.split(',');
  return (
    parts?.length === 3 &&
    parts.every((part) => /^(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$/.test(trimAscii(part)))
  );
}

function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && '\t\n\f\r '.includes(text[start]!)) start++;
  while (end > start && '\t\n\f\r '.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

export const isIsbn = (text: string): boolean => isIsbn10(text) || isIsbn13(text);

export function isIsbn10(text: string): boolean {
  const code = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(code)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++)
    sum += (index + 1) * (code[index] === 'X' ? 10 : Number(code[index]));
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const code = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(code)) return false;
  let sum = 0;
  for (let index = 0; index < 13; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(code[index]);
  return sum % 10 === 0;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const isShortName = (text: string): boolean => validateDns1123Label(text).length === 0;
export const isLongName = (text: string): boolean => validateDns1123Subdomain(text).length === 0;
