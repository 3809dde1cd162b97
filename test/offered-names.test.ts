// What the packages offer: every entry of a package lists its names one by one, and every name has a comment
// at its declaration that says what it is. Names without a user are reported by knip.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** `export { a, type B as C } from './x.ts';` What is passed on from another package is checked there. */
const LIST = /^export (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm;
/** With the end of the comment before it, if there is one; a comment for the linter may stand between. */
const DECLARATION =
  /^(.*\*\/\n)?(?:\/\/ .*\n)*export (?:abstract |async )*(?:const|function\*?|class|interface|type) (\w+)/gm;

/** The files that `exports` of a package.json names: `./dist/x/index.js` is built from `src/x/index.ts`. */
function entriesOf(name: string): string[] {
  const source = join(packages, name, 'src');
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string }>;
  };
  return Object.values(exports)
    .map((entry) => entry.default.replace('./dist/', '').replace(/\.js$/, '.ts'))
    .flatMap((file) =>
      file.includes('*') ? readdirSync(source).map((folder) => file.replace('*', folder)) : [file],
    )
    .filter((file) => existsSync(join(source, file)))
    .map((file) => `${name}/src/${file}`);
}

/** The exported names of a file: true if the declaration has a comment. */
function exportedNames(file: string): Map<string, boolean> {
  const source = readFileSync(file, 'utf8');
  const names = new Map<string, boolean>();
  for (const [, comment, name] of source.matchAll(DECLARATION))
    names.set(name!, names.get(name!) || comment !== undefined);
  for (const [, list, specifier] of source.matchAll(LIST)) {
    const declared = exportedNames(join(dirname(file), specifier!));
    for (const item of list!.split(',').map((text) => text.trim().replace(/^type /, ''))) {
      const [name, alias = name] = item.split(' as ');
      if (name) names.set(alias!, declared.get(name) ?? false);
    }
  }
  return names;
}

const entries = readdirSync(packages).flatMap(entriesOf);

it('finds the entries of all packages', () => {
  expect(new Set(entries.map((entry) => entry.split('/')[0]))).toEqual(new Set(readdirSync(packages)));
  expect(exportedNames(join(packages, 'cli/src/index.ts')).get('startServer')).toBe(true);
});

it.each(entries)('%s lists names, not whole files', (entry) => {
  expect(readFileSync(join(packages, entry), 'utf8')).not.toMatch(/^export (type )?\*/m);
});

it.each(entries)('%s offers only names with a comment', (entry) => {
  const names = [...exportedNames(join(packages, entry))];
  expect(names.filter(([, hasComment]) => !hasComment).map(([name]) => name)).toEqual([]);
});
