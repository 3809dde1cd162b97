// The value of a quoted literal: removes quotes and resolves escapes. In bytes, \x and octal escapes are
// bytes; in strings they are code points.

const newlines = /\r\n?/g;
const named: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
};
const hexDigits: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

interface Body {
  readonly text: string;
  readonly raw: boolean;
}

function bodyOf(literal: string): Body {
  const raw = literal[0] === 'r' || literal[0] === 'R';
  const quoted = (raw ? literal.slice(1) : literal).replace(newlines, '\n');
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { text: quoted.slice(width, -width), raw };
}

/** The string, or undefined with the reason. */
export function unescapeString(literal: string): string | { readonly error: string } {
  const { text, raw } = bodyOf(literal);
  if (raw || !text.includes('\\')) return text;
  let result = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '\\') {
      result += text[at++];
      continue;
    }
    const found = readEscape(text, at);
    if (found.code > 0x10ffff || (found.code >= 0xd800 && found.code <= 0xdfff))
      return { error: 'invalid unicode code point' };
    result += String.fromCodePoint(found.code);
    at = found.end;
  }
  return result;
}

export function unescapeBytes(literal: string): Uint8Array | { readonly error: string } {
  const { text, raw } = bodyOf(literal);
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (raw || text[at] !== '\\') {
      const code = text.codePointAt(at)!;
      pushUtf8(bytes, code);
      at += code > 0xffff ? 2 : 1;
      continue;
    }
    if (text[at + 1] === 'u' || text[at + 1] === 'U') return { error: 'unable to unescape string' };
    const found = readEscape(text, at);
    bytes.push(found.code & 0xff);
    at = found.end;
  }
  return Uint8Array.from(bytes);
}

/** The lexer has made sure that the escape is complete. */
function readEscape(text: string, at: number): { code: number; end: number } {
  const kind = text[at + 1]!;
  const simple = named[kind];
  if (simple !== undefined) return { code: simple, end: at + 2 };
  const count = hexDigits[kind];
  if (count === undefined) return { code: Number.parseInt(text.slice(at + 1, at + 4), 8), end: at + 4 };
  return { code: Number.parseInt(text.slice(at + 2, at + 2 + count), 16), end: at + 2 + count };
}

function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  else
    bytes.push(
      0xf0 | (code >> 18),
      0x80 | ((code >> 12) & 0x3f),
      0x80 | ((code >> 6) & 0x3f),
      0x80 | (code & 0x3f),
    );
}
