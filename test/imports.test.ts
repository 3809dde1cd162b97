// What may import what: packages, the layers of the server, and no cycles. ARCHITECTURE.md has the same
// tables; a change here is an architectural decision.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { betweenSiblings, cyclesIn, spansFolders } from './import-graph/cycles.ts';
import { type ImportKind, importsOf } from './import-graph/imports.ts';

const MAY_IMPORT: Record<string, readonly string[]> = {
  go: [],
  machinery: ['go'],
  kinds: ['machinery'],
  cel: ['go'],
  schema: ['cel', 'machinery', 'go'],
  crd: ['schema', 'machinery', 'go'],
  lens: ['schema', 'cel', 'machinery', 'go'],
  convert: ['crd', 'lens', 'machinery', 'go'],
  admission: ['cel', 'machinery', 'go'],
  ownership: ['schema', 'machinery', 'go'],
  store: ['go'],
  serving: ['go'],
  client: ['serving', 'machinery', 'go'],
  server: [
    'admission',
    'convert',
    'crd',
    'lens',
    'ownership',
    'schema',
    'serving',
    'store',
    'machinery',
    'go',
    'kinds',
  ],
  webhook: ['client', 'lens', 'serving', 'machinery', 'go'],
  snapshot: ['client', 'schema', 'serving', 'webhook', 'machinery', 'go'],
  compat: ['crd', 'lens', 'schema', 'machinery', 'go'],
  migrate: ['client', 'crd', 'lens', 'serving', 'machinery'],
  cli: ['*'],
  testing: ['client', 'machinery', 'server', 'serving', 'store'],
};

/** Packages without I/O: they compile without Node's types, and import no Node module. */
const PURE = new Set([
  'go',
  'machinery',
  'kinds',
  'cel',
  'schema',
  'crd',
  'lens',
  'convert',
  'admission',
  'ownership',
  'compat',
]);

/** The layers of the server: each may import those left of it. Files beside them may import all. */
const SERVER_LAYERS = ['wire', 'objects', 'kinds', 'api', 'parts'];

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

interface FileImport {
  readonly file: string;
  readonly specifier: string;
  readonly kind: ImportKind;
}

/** The imports of all files of a package, except tests and what only tests use. */
function readImports(packageName: string): FileImport[] {
  const root = join(packages, packageName, 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)testing\//.test(file))
    .sort()
    .flatMap((file) =>
      importsOf(readFileSync(join(root, file), 'utf8')).map((found) => ({ file, ...found })),
    );
}

const shown = ({ file, specifier }: FileImport): string => `${file} imports ${specifier}`;

const toldPath = (path: readonly string[]): string => path.join(' → ');

describe.each(readdirSync(packages))('packages/%s', (packageName) => {
  const imports = readImports(packageName);
  const inside = imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, specifier, kind }) => ({ from: file, to: join(file, '..', specifier), kind }));
  // A dynamic import is loaded after all files: it does not make a cycle.
  const atLoad = inside.filter(({ kind }) => kind !== 'dynamic');

  it('is a package of the architecture', () => {
    expect(Object.keys(MAY_IMPORT)).toContain(packageName);
  });

  it('imports only the packages that it may', () => {
    const allowed = MAY_IMPORT[packageName] ?? [];
    const wrong = imports.filter(({ specifier }) => {
      const target = /^@instar\/([^/]+)/.exec(specifier)?.[1];
      return (
        target !== undefined && target !== packageName && !allowed.includes('*') && !allowed.includes(target)
      );
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('imports @instar/testing only in tests', () => {
    const wrong = imports.filter(({ specifier }) => /^@instar\/testing(\/|$)/.test(specifier));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('stays inside its own folder with relative imports', () => {
    const wrong = imports.filter(
      ({ file, specifier }) => specifier.startsWith('.') && join(file, '..', specifier).startsWith('..'),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('imports no Node module if it is a package without I/O', () => {
    const nodeModules = imports.filter(({ specifier }) => specifier.startsWith('node:'));
    if (PURE.has(packageName)) expect(nodeModules.map(shown)).toEqual([]);
  });

  it('names no storage engine, unless it is the store', () => {
    const engines = imports.filter(({ specifier }) => /^(lmdb|@grpc\/)/.test(specifier));
    if (packageName !== 'store') expect(engines.map(shown)).toEqual([]);
  });

  it('has no files that import each other', () => {
    const cycles = cyclesIn(atLoad.filter(({ kind }) => kind === 'value'));
    expect(cycles.map(toldPath)).toEqual([]);
  });

  it('has no files in different folders that import the types of each other', () => {
    expect(cyclesIn(atLoad, spansFolders).map(toldPath)).toEqual([]);
  });

  it('has no sibling folders that import each other', () => {
    const examples = new Map<string, string>();
    const folders = inside.flatMap(({ from, to }) => {
      const edge = betweenSiblings({ from, to });
      if (edge !== undefined) examples.set(toldPath([edge.from, edge.to]), toldPath([from, to]));
      return edge ?? [];
    });
    const cycles = cyclesIn(folders).map((path) =>
      path.slice(1).map((to, index) => examples.get(toldPath([path[index]!, to]))),
    );
    expect(cycles).toEqual([]);
  });
});

describe('the layers of packages/server', () => {
  const layerOf = (path: string): number => {
    const [first = '', ...below] = path.split('/');
    return below.length === 0 ? SERVER_LAYERS.length : SERVER_LAYERS.indexOf(first);
  };
  const imports = readImports('server');

  it('include every folder', () => {
    expect(imports.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)).toEqual([]);
  });

  it('import only layers left of them', () => {
    const wrong = imports.filter(
      ({ file, specifier }) =>
        specifier.startsWith('.') && layerOf(join(file, '..', specifier)) > layerOf(file),
    );
    expect(wrong.map(shown)).toEqual([]);
  });
});
