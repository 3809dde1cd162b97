// Go's strconv.Quote, which is how Kubernetes prints strings in its messages.

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\x07': '\\a',
};

/** What can stand as it is, besides what only the slow way can tell. */
const PLAIN = /^[ !#-[\]-~]*$/;

export function quoteGo(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) out += escapeCharacter(character);
  return `${out}"`;
}

function escapeCharacter(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (isPrintable(character)) return character;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}
