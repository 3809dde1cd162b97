// The checker as a library runs in a browser: it is bundled for one, without any module of Node, and run in a
// context without Node's globals.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { temporaryFolder } from '@instar/testing';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

describe('@instar/compat in a browser', () => {
  it('checks a change', async () => {
    const folder = temporaryFolder(onTestFinished);
    const outfile = join(folder, 'compat.js');
    await build({
      entryPoints: [`${packages}compat/src/index.ts`],
      outfile,
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'compat',
      target: 'es2022',
      logLevel: 'silent',
      plugins: [
        {
          name: 'sources',
          setup: (setup) =>
            setup.onResolve({ filter: /^@instar\// }, ({ path }) => ({ path: sourceOf(path) })),
        },
      ],
    });
    const browser = createContext({ TextEncoder, TextDecoder, setTimeout, clearTimeout });
    runInContext(readFileSync(outfile, 'utf8'), browser);
    const found = runInContext(
      `JSON.stringify(compat.check(${definition(['a', 'b'])}, ${definition(['a'])}))`,
      browser,
    );
    expect(JSON.parse(found)).toMatchObject([
      { rule: 'field-removed', severity: 'breaking', path: 'spec.b' },
    ]);
  });
});

function sourceOf(specifier: string): string {
  const [, room, part = ''] = /^@instar\/([^/]+)(\/.+)?$/.exec(specifier)!;
  return `${packages}${room}/src${part}/index.ts`;
}

function definition(fields: readonly string[]): string {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: 'string' }]));
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.foomake.io' },
    spec: {
      group: 'foomake.io',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions,
    },
  });
}
