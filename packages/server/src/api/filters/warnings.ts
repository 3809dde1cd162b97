// Writes what handlers wanted to warn of as RFC 2616 Warning headers, each text once, in all at most 4 Ki
// characters.
import type { Finisher } from '../../wire/exchange.ts';

const TOTAL_CHARACTERS = 4096;
/** Once the total is exceeded every text is cut to this. */
const CUT_CHARACTERS = 256;

export const addWarnings: Finisher = (request, response) => {
  if (request.warnings.length === 0) return response;
  const headers = warningHeaders(request.warnings);
  if (headers.length > 0) response.headers['warning'] = headers;
  return response;
};

export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)]
    .filter((text) => text !== '' && !/[\p{Cc}\p{Cs}]/u.test(text))
    .map((text) => [...text]);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  return (total <= TOTAL_CHARACTERS ? texts : cut(texts)).map(
    (text) => `299 - "${text.join('').replace(/["\\]/g, '\\$&')}"`,
  );
}

function cut(texts: readonly string[][]): string[][] {
  const kept: string[][] = [];
  let total = 0;
  for (const text of texts) {
    if (total >= TOTAL_CHARACTERS) break;
    kept.push(text.slice(0, CUT_CHARACTERS));
    total += Math.min(text.length, CUT_CHARACTERS);
  }
  return kept;
}
