// The order in which go-yaml prints the keys of a map: letters after everything else, and numbers inside
// names by their value (a2 before a10).

const isLetter = (character: string) => /^\p{L}$/u.test(character);
const isDigit = (character: string | undefined) =>
  character !== undefined && character >= '0' && character <= '9';

export function compareYamlKeys(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  const shorter = Math.min(x.length, y.length);
  for (let i = 0; i < shorter; i++) if (x[i] !== y[i]) return compareFrom(x, y, i);
  return x.length - y.length;
}

function compareFrom(x: readonly string[], y: readonly string[], i: number): number {
  const a = x[i]!;
  const b = y[i]!;
  const letters = Number(isLetter(a)) - Number(isLetter(b));
  if (letters !== 0) return letters;
  if (isLetter(a)) return a < b ? -1 : 1;
  // A zero inside a number is a digit; a leading zero is ignored.
  const begun = (a === '0' || b === '0') && digitsBefore(x, i).some((digit) => digit !== '0') ? '1' : '';
  const m = digitsFrom(x, i);
  const n = digitsFrom(y, i);
  const difference = BigInt(`${begun}${m}` || '0') - BigInt(`${begun}${n}` || '0');
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  if (m.length !== n.length) return m.length - n.length;
  return a < b ? -1 : 1;
}

function digitsBefore(text: readonly string[], end: number): readonly string[] {
  let start = end;
  while (isDigit(text[start - 1])) start--;
  return text.slice(start, end);
}

function digitsFrom(text: readonly string[], start: number): string {
  let end = start;
  while (isDigit(text[end])) end++;
  return text.slice(start, end).join('');
}
