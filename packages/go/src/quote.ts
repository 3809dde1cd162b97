// Go's strconv.Quote, the %q with which Kubernetes prints strings in its messages.

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

/** Most texts consist only of these characters, which need no escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The text in double quotes, as %q prints it. A lone surrogate, which a Go string cannot hold, is printed as
 * U+FFFD, which is what it becomes when Go decodes JSON; %q prints that character as it is.
 */
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

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * Go's unicode.IsPrint of one character: letters, marks, numbers, punctuation, symbols and the ASCII space.
 * Go 1.26 knows Unicode 15.0; characters that were added later count as printable where the runtime knows
 * them.
 */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}
