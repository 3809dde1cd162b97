// The imports of a TypeScript file.
import { tokensOf } from './tokens.ts';

/**
 * `type`: erased when the file is compiled. `value`: loaded before the file runs. `dynamic`: `import()`,
 * loaded when the call runs. `import { type A }` is a value import: the module is loaded anyway.
 */
export type ImportKind = 'type' | 'value' | 'dynamic';

interface Import {
  readonly specifier: string;
  readonly kind: ImportKind;
}

export function importsOf(source: string): Import[] {
  const tokens = tokensOf(source);
  const imports: Import[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (token === 'import' && tokens[index + 1] === '(' && tokens[index - 1] !== '.') {
      const specifier = textOf(tokens[index + 2]);
      if (specifier !== undefined) imports.push({ specifier, kind: 'dynamic' });
    } else if (depth === 0 && (token === 'import' || token === 'export')) {
      const specifier = specifierBehind(tokens, index);
      if (specifier !== undefined) imports.push({ specifier, kind: kindOf(tokens, index) });
    }
  }
  return imports;
}

/** The module of a statement: `import 'x'`, or `from 'x'` after braces, stars and names only. */
function specifierBehind(tokens: readonly string[], start: number): string | undefined {
  let index = start + 1;
  if (tokens[start] === 'import' && textOf(tokens[index]) !== undefined) return textOf(tokens[index]);
  if (tokens[start] === 'export' && !'{*'.includes(tokens[isTypeOnly(tokens, start) ? index + 1 : index]!))
    return undefined;
  while (index < tokens.length && /^(?:[\w$]+|[{},*'"].*)$/.test(tokens[index]!)) {
    const specifier = tokens[index] === 'from' ? textOf(tokens[index + 1]) : undefined;
    if (specifier !== undefined) return specifier;
    index++;
  }
  return undefined;
}

const kindOf = (tokens: readonly string[], start: number): ImportKind =>
  isTypeOnly(tokens, start) ? 'type' : 'value';

/** `type` may also be the name of a default import. */
function isTypeOnly(tokens: readonly string[], start: number): boolean {
  const next = tokens[start + 2];
  return tokens[start + 1] === 'type' && next !== 'from' && next !== ',';
}

const textOf = (token: string | undefined): string | undefined =>
  token !== undefined && /^['"]/.test(token) ? token.slice(1, -1) : undefined;
