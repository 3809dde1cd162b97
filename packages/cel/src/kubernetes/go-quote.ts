/**
 * A string in double quotes as Go's %q writes it, because the texts that Kubernetes users see were made that
 * way. It quotes only: it does not read quoted strings back.
 */
const named: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

// Letters, marks, numbers, punctuation, symbols and the plain space are what Go prints as they are.
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

export function goQuote(text: string): string {
  let quoted = '"';
  for (const char of text) quoted += named[char] ?? (printable.test(char) ? char : escaped(char));
  return `${quoted}"`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
