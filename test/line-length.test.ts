// Prose has at most 110 columns: text in Markdown outside code blocks, and comments. The formatter wraps the
// rest of the code. A longer word, such as an address, may be alone on its line.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const MAX_COLUMNS = 110;
const NOT_OURS = new Set(['node_modules', 'dist', 'bundle', '.git']);
/** The first is written by `npx vitest run test/compat/reference.test.ts -u`. */
const GENERATED_OR_RECORDED = ['docs/reference/check-rules.md', 'test/conformance/recordings/'];
const COMMENT = /^\s*(\/\/|\/\*|\*)/;
/** What may precede the only word of a line: the marker of a comment or of a list item. */
const MARK = /^\s*(\/\/|\/\*\*?|\*|-|\d+\.)?\s*/;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path);
    return /\.(ts|tsx|mjs|cjs|js|md)$/.test(entry.name) ? [path] : [];
  });
}

const isLong = (line: string): boolean =>
  [...line].length > MAX_COLUMNS &&
  !line.includes('biome-ignore') &&
  /\s/.test(line.replace(MARK, '').trim());

function linesOfProse(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  if (!file.endsWith('.md')) return lines.map((line) => (COMMENT.test(line) ? line : ''));
  let isCode = false;
  return lines.map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return isCode ? '' : line;
  });
}

it('lines of prose have at most 110 columns', () => {
  const long = filesIn(root)
    .filter((file) => !GENERATED_OR_RECORDED.some((path) => relative(root, file).startsWith(path)))
    .flatMap((file) =>
      linesOfProse(file).flatMap((line, index) =>
        isLong(line) ? [`${relative(root, file)}:${index + 1}`] : [],
      ),
    );
  expect(long).toEqual([]);
});
