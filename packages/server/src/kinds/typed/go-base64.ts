// Go's base64.StdEncoding.Decode as far as JSON needs it: the canonical text of the same bytes, or Go's
// complaint with its position.

export type Base64 = { readonly text: string } | { readonly error: string };

const illegal = (at: number): Base64 => ({ error: `illegal base64 data at input byte ${at}` });
const isNewline = (code: number): boolean => code === 10 || code === 13;
const isDigit = (code: number): boolean =>
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  code === 43 ||
  code === 47;
const PADDING = 61;

export function parseBase64(value: string): Base64 {
  const fault = faultOf(value);
  return fault === undefined ? { text: Buffer.from(value, 'base64').toString('base64') } : illegal(fault);
}

/**
 * Where Go would stop: at a strange character, at wrong padding, or at the start of an unfinished group of
 * four.
 */
function faultOf(value: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (isDigit(code)) inGroup = (inGroup + 1) % 4;
    else if (code === PADDING && inGroup >= 2) return paddingFault(value, at + 1, inGroup);
    else if (!isNewline(code)) return at;
  }
  return inGroup === 0 ? undefined : value.length - inGroup;
}

function paddingFault(value: string, next: number, inGroup: number): number | undefined {
  let at = skipNewlines(value, next);
  if (inGroup === 2) {
    if (at === value.length) return value.length;
    if (value.charCodeAt(at) !== PADDING) return at - 1;
    at = skipNewlines(value, at + 1);
  }
  return at < value.length ? at : undefined;
}

function skipNewlines(value: string, from: number): number {
  let at = from;
  while (at < value.length && isNewline(value.charCodeAt(at))) at++;
  return at;
}
