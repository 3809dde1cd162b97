// The rooms may import only what the architecture allows. ARCHITECTURE.md shows the same table; a change here
// is a decision to be written down.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MAY_IMPORT: Record<string, readonly string[]> = {
  go: [],
  machinery: ['go'],
  cel: ['go'],
  schema: ['cel', 'machinery', 'go'],
  crd: ['schema', 'machinery', 'go'],
  lens: ['schema', 'cel', 'machinery', 'go'],
  convert: ['crd', 'lens', 'machinery', 'go'],
  admission: ['schema', 'cel', 'machinery', 'go'],
  ownership: ['schema', 'machinery', 'go'],
  store: ['machinery', 'go'],
  serving: [],
  client: ['machinery'],
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
  ],
  webhook: ['client', 'convert', 'lens', 'serving', 'machinery', 'go'],
  snapshot: ['client', 'schema', 'serving', 'webhook', 'machinery'],
  compat: ['cel', 'crd', 'lens', 'schema', 'machinery'],
  migrate: ['client', 'crd', 'lens', 'machinery'],
  cli: ['*'],
};

/** Rooms without I/O: they compile without Node's types, and name no Node module. */
const PURE = new Set([
  'go',
  'machinery',
  'cel',
  'schema',
  'crd',
  'lens',
  'convert',
  'admission',
  'ownership',
  'compat',
]);

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function importsOf(room: string): Import[] {
  const root = join(packages, room, 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, specifier]) => ({
        file,
        specifier: specifier!,
      })),
    );
}

describe.each(readdirSync(packages))('packages/%s', (room) => {
  it('is a room of the architecture', () => {
    expect(Object.keys(MAY_IMPORT)).toContain(room);
  });

  it('imports only the rooms that it may', () => {
    const allowed = MAY_IMPORT[room] ?? [];
    const wrong = importsOf(room).filter(({ specifier }) => {
      const target = /^@instar\/([^/]+)/.exec(specifier)?.[1];
      return target !== undefined && target !== room && !allowed.includes('*') && !allowed.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it('stays inside its own folder with relative imports', () => {
    const wrong = importsOf(room).filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      return (
        join('/', file, '..', specifier).split('/').includes('..') || specifier.includes('/../packages/')
      );
    });
    expect(wrong).toEqual([]);
  });

  it('touches no Node module, if it is a room without I/O', () => {
    const nodeModules = importsOf(room).filter(({ specifier }) => specifier.startsWith('node:'));
    if (PURE.has(room)) expect(nodeModules).toEqual([]);
  });

  it('names no storage engine, unless it is the store', () => {
    const engines = importsOf(room).filter(({ specifier }) => /^(lmdb|@grpc\/)/.test(specifier));
    if (room !== 'store') expect(engines).toEqual([]);
  });
});
