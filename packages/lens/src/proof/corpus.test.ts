// Valid objects for the schemas of real definitions. bench/generation.mjs measures more closely.
import { type JsonValue, parseYaml } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { corpusFiles, describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { expect, it } from 'vitest';
import { arbitraryOf, GenerationError, sample } from './index.ts';

interface Definition {
  readonly spec?: {
    group: string;
    names: { kind: string };
    scope: string;
    versions?: { name: string; schema?: { openAPIV3Schema?: JSONSchemaProps } }[];
  };
}

/** As a decoder with Go's types leaves it: null means not set. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'default' ? member : withoutNulls(member)]),
  );
}

function definitions(): Definition[] {
  // Every fourth of them: the benchmark takes them all.
  return corpusFiles('crds').flatMap((file, index) => {
    if (index % 4 !== 0) return [];
    try {
      return [withoutNulls(parseYaml(readCorpus(file)).value) as Definition];
    } catch {
      return [];
    }
  });
}

describeUnless(missingCorpus(), 'the corpus', { timeout: 120_000 }, () => {
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
});
