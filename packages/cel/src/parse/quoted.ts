// Finds the end of a quoted literal: '…', "…", triple quotes, with the prefixes r and b. It checks escapes
// but does not resolve them.

interface QuotedScan {
  readonly bytes: boolean;
  readonly end: number;
  /** Where the literal is invalid, if it is. */
  readonly failed: number | undefined;
}

const simpleEscapes = new Set('abfnrtv"\'\\?`');

/** Undefined if no literal starts here (the prefix letters may start a name). */
export function scanQuoted(text: string, start: number): QuotedScan | undefined {
  let at = start;
  const bytes = text[at] === 'b' || text[at] === 'B';
  if (bytes) at++;
  const raw = text[at] === 'r' || text[at] === 'R';
  if (raw) at++;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  const closing = text[at + 1] === quote && text[at + 2] === quote ? quote.repeat(3) : quote;
  const end = closing.length === 1 ? endOfPlain(text, at + 1, quote.charCodeAt(0)) : undefined;
  if (end !== undefined) return { bytes, end, failed: undefined };
  return { bytes, ...scanBody(text, at + closing.length, closing, raw) };
}

/** Most literals have neither escapes nor line breaks; undefined for those that have. */
function endOfPlain(text: string, start: number, quote: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit === 92 || unit === 10 || unit === 13) return undefined;
  }
  return undefined;
}

function scanBody(
  text: string,
  start: number,
  closing: string,
  raw: boolean,
): { end: number; failed: number | undefined } {
  let at = start;
  while (at < text.length) {
    if (text.startsWith(closing, at)) return { end: at + closing.length, failed: undefined };
    const character = text[at]!;
    if (closing.length === 1 && (character === '\n' || character === '\r')) return { end: at, failed: at };
    if (character === '\\' && !raw) {
      const next = scanEscape(text, at);
      if (next.failed) return { end: next.end, failed: next.end };
      at = next.end;
    } else at++;
  }
  return { end: at, failed: at };
}

const escapeDigits: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

function scanEscape(text: string, at: number): { end: number; failed: boolean } {
  const kind = text[at + 1] ?? '';
  if (simpleEscapes.has(kind)) return { end: at + 2, failed: false };
  const octal = kind >= '0' && kind <= '3';
  const count = octal ? 2 : (escapeDigits[kind] ?? 0);
  if (count === 0) return { end: at + 1, failed: true };
  const allowed = octal ? /[0-7]/ : /[0-9a-fA-F]/;
  for (let digit = at + 2; digit < at + 2 + count; digit++) {
    if (!allowed.test(text[digit] ?? '')) return { end: digit, failed: true };
  }
  return { end: at + 2 + count, failed: false };
}
