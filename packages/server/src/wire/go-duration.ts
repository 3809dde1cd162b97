// Go's time.ParseDuration, as far as query parameters and flags use it, with its error texts.
import { quoteGo } from '@instar/go';

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds, or the reason why the text is no duration. */
export function parseGoDuration(text: string): number | { readonly error: string } {
  const invalid = { error: `time: invalid duration ${quoteGo(text)}` };
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0;
  if (rest === '') return invalid;
  let total = 0;
  while (rest !== '') {
    const [number = ''] = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)/.exec(rest) ?? [];
    if (number === '') return invalid;
    const [unit = ''] = /^[^0-9.]*/.exec(rest.slice(number.length)) ?? [];
    if (unit === '') return { error: `time: missing unit in duration ${quoteGo(text)}` };
    const factor = MILLISECONDS.get(unit);
    if (factor === undefined)
      return { error: `time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}` };
    total += Number(number) * factor;
    rest = rest.slice(number.length + unit.length);
  }
  return sign * total;
}
