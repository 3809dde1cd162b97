// Writes the warnings of handlers as RFC 2616 Warning headers, each text once, at most 4096 characters in
// total.
import type { Finisher } from '../../wire/exchange.ts';

const MAX_TOTAL_CHARACTERS = 4096;
/** If the total is exceeded, every text is truncated to this. */
const MAX_TRUNCATED_CHARACTERS = 256;

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
  return (total <= MAX_TOTAL_CHARACTERS ? texts : truncated(texts)).map(
    (text) => `299 - "${text.join('').replace(/["\\]/g, '\\$&')}"`,
  );
}

function truncated(texts: readonly string[][]): string[][] {
  const kept: string[][] = [];
  let total = 0;
  for (const text of texts) {
    if (total >= MAX_TOTAL_CHARACTERS) break;
    kept.push(text.slice(0, MAX_TRUNCATED_CHARACTERS));
    total += Math.min(text.length, MAX_TRUNCATED_CHARACTERS);
  }
  return kept;
}
