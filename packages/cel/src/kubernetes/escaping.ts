/**
 * Property names as identifiers of CEL, and back. Names that no identifier can represent are not accessible
 * to expressions.
 */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const sequences = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const unescaped = new Map([...sequences].map(([plain, escaped]) => [escaped, plain]));

export function isReservedWord(name: string): boolean {
  return reserved.has(name);
}

/**
 * `namespace` becomes `__namespace__`, `my-field` becomes `my__dash__field`; undefined if there is no
 * identifier for it.
 */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (char) => sequences.get(char)!);
}

/** The property that an identifier represents; undefined if it contains an invalid escape. */
export function unescapeName(identifier: string): string | undefined {
  let valid = true;
  const name = identifier.replace(/__[^_]+__/g, (sequence) => {
    const plain = unescaped.get(sequence);
    if (plain !== undefined) return plain;
    const word = sequence.slice(2, -2);
    if (!reserved.has(word) || sequence !== identifier) valid = false;
    return word;
  });
  return valid ? name : undefined;
}
