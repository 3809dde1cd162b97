// Whether JSON text may contain a number that a double cannot represent: 16 digits or more in a row, outside
// quotes as far as the character before them shows. Reads only every 16th character, since one of them must
// be a digit of such a number; a regular expression would read all.

const DIGITS = 16;

/** Whether a JSON text may have a number that JSON.parse would round. */
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
  // After a quote or a letter it is part of a string. (After a space it may be too; then the exact parser
  // runs needlessly.)
  return end - start >= DIGITS && /[-:,[\s]/.test(text[start - 1] ?? ' ');
}
