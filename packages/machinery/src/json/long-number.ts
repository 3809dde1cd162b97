// Whether JSON text may hold a number that a double cannot: 16 digits or more in a row, outside quotes as far
// as one can tell from the character before them. Looks at every 16th character only, since one of them must
// be a digit of such a number; a regular expression looks at all.

const DIGITS = 16;

export function mayHoldLongNumber(text: string): boolean {
  for (let at = DIGITS - 1; at < text.length; at += DIGITS) {
    if (isDigit(text.charCodeAt(at)) && isInLongNumber(text, at)) return true;
  }
  return false;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

function isInLongNumber(text: string, at: number): boolean {
  let start = at;
  while (isDigit(text.charCodeAt(start - 1))) start--;
  let end = at + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  // A quote or a letter before: part of a string. (A string may also hold a space there; then the exact
  // parser is asked for nothing.)
  return end - start >= DIGITS && /[-:,[\s]/.test(text[start - 1] ?? ' ');
}
