// The timeout of the caller, which API servers send in the query as a Go duration.

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const MAX_TIMEOUT_MS = 24 * 3_600_000;

/** Milliseconds; undefined if the query has no valid timeout. */
export function timeoutOf(query: string): number | undefined {
  const text = /(?:^|&)timeout=([^&]*)/.exec(query)?.[1];
  if (text === undefined || !/^(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/.test(text))
    return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)([a-zµ]+)/g))
    total += Number(number) * UNITS.get(unit!)!;
  return total > 0 ? Math.min(total, MAX_TIMEOUT_MS) : undefined;
}
