// Valid objects for the schemas of real definitions. bench/generation.mjs measures more closely.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type JsonValue, parseYaml } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { arbitraryOf, GenerationError, sample } from './index.ts';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
const folder = join(process.env['INSTAR_SHARED'] ?? resolve(repository, '../shared'), 'corpus', 'crds');
const isAbsent = !existsSync(folder) && process.env['CI'] !== 'true';

interface Definition {
  readonly spec?: {
    group: string;
    names: { kind: string };
    scope: string;
    versions?: { name: string; schema?: { openAPIV3Schema?: JSONSchemaProps } }[];
  };
}

/** As a decoder with Go's types leaves it: what is null is not set. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'default' ? member : withoutNulls(member)]),
  );
}

function definitions(): Definition[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.yaml(\.gz)?$/.test(file),
  );
  // Every fourth of them: the benchmark takes them all.
  return files.sort().flatMap((file, index) => {
    if (index % 4 !== 0) return [];
    const bytes = readFileSync(join(folder, file));
    try {
      return [
        withoutNulls(
          parseYaml((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).value,
        ) as Definition,
      ];
    } catch {
      return [];
    }
  });
}

describe.skipIf(isAbsent)(
  `the corpus${isAbsent ? ` (skipped: there is no ${folder})` : ''}`,
  { timeout: 120_000 },
  () => {
    it('has a valid object for nearly every schema', () => {
      const failed: string[] = [];
      let schemas = 0;
      for (const { spec } of definitions()) {
        for (const { name, schema } of spec?.versions ?? []) {
          if (schema?.openAPIV3Schema === undefined) continue;
          schemas++;
          const objects = arbitraryOf(schema.openAPIV3Schema, {
            apiVersion: `${spec!.group}/${name}`,
            kind: spec!.names.kind,
            namespaced: spec!.scope === 'Namespaced',
          });
          try {
            sample(objects, 1, 20261116);
          } catch (error) {
            if (!(error instanceof GenerationError)) throw error;
            failed.push(error.message);
          }
        }
      }
      console.info(`generation: valid objects for ${schemas - failed.length} of ${schemas} schemas`);
      expect(failed.length / schemas, failed.join('\n')).toBeLessThan(0.01);
    });
  },
);
