import { type AsyncConverter, ConversionFailure } from '@instar/convert';
import { type JsonObject, type KubeObject, parseJson } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import { expect, it } from 'vitest';
import { ConversionTrial } from './conversion-trial.ts';

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
let calls = 0;

/** Converts by changing a copy. */
const converter = (change: (object: JsonObject & KubeObject, to: string) => void): AsyncConverter => ({
  convert: async (sources, apiVersion, settle) => {
    calls++;
    const source = sources.at(0)!;
    const object = parseJson(source.json() as string).value as JsonObject & KubeObject;
    object.apiVersion = apiVersion;
    try {
      change(object, apiVersion.split('/')[1]!);
      settle(0, object, source);
    } catch (error) {
      settle(0, new ConversionFailure((error as Error).message, 'refused', source, apiVersion), source);
    }
  },
});

async function report(
  by: AsyncConverter,
  rest: object = { spec: { a: 1 } },
  versions = ['v1', 'v2'],
  spec: JSONSchemaProps = OPEN,
) {
  const schema = compileSchema({ type: 'object', properties: { spec, status: OPEN } });
  const sample = { apiVersion: 'g.io/v1', kind: 'K', metadata: { name: 'x' }, ...rest } as KubeObject;
  const tried = versions.map((name) => ({ name, schema }));
  calls = 0;
  return new ConversionTrial(by, tried, 0.2).report(sample);
}

const good = (pairs: string) => [
  `preflight: x was converted ${pairs}; all answers are good, and nothing is lost`,
];
const GOOD = good('v1 to v2 and back, v2 to v1 and back');

it('reports the first field that is lost, changed or added by the round trip', async () => {
  const losing = converter((object) => (object['spec'] = {}));
  expect(await report(losing)).toEqual(['preflight: x from v1 to v2 and back: spec.a is lost (1)']);
  const counting = converter((object) => (object['spec'] = { a: (object['spec'] as { a: number }).a + 1 }));
  expect(await report(counting)).toEqual([
    'preflight: x from v1 to v2 and back: spec.a is 3 instead of 1',
    'preflight: x from v2 to v1 and back: spec.a is 4 instead of 2',
  ]);
  const adding = converter((object, to) => to === 'v1' && (object['spec'] = { a: 1, long: 'x'.repeat(100) }));
  expect((await report(adding))[0]).toBe(
    `preflight: x from v1 to v2 and back: spec.long is added ("${'x'.repeat(59)}…)`,
  );
  const unlabeling = converter((object) => void delete object.metadata.labels);
  expect(await report(unlabeling, { metadata: { name: 'x', labels: { a: 'b' } } })).toEqual([
    'preflight: x from v1 to v2 and back: metadata.labels.a is lost ("b")',
  ]);
});

it('ignores new annotations, empty values and defaults', async () => {
  const keeping = converter((object) => (object.metadata.annotations = { kept: String(Math.random()) }));
  expect((await report(keeping))[0]).toContain('from v2 to v1 and back: metadata.annotations.kept is ');
  expect(await report(converter((object) => (object.metadata.annotations = { kept: 'x' })))).toEqual(GOOD);
  expect(await report(converter((object) => (object['status'] = { a: [], b: '', c: { d: null } })))).toEqual(
    GOOD,
  );
  const withDefault = { type: 'object', properties: { a: { type: 'integer', default: 7 } } } as const;
  expect(
    await report(
      converter((object) => (object['spec'] = { a: 7, unknown: 1 })),
      { spec: {} },
      ['v1', 'v2'],
      withDefault,
    ),
  ).toEqual(GOOD);
});

it('converts from every version to every other, each once', async () => {
  const relabeling = converter(() => {});
  expect(await report(relabeling, {}, ['v1', 'v2', 'v3'])).toEqual(
    good(
      ['v1 to v2', 'v1 to v3', 'v2 to v1', 'v2 to v3', 'v3 to v1', 'v3 to v2']
        .map((pair) => `${pair} and back`)
        .join(', '),
    ),
  );
  expect(calls).toBe(10);
  await report(relabeling, {}, ['v1', 'v2', 'v3', 'v4', 'v5', 'v6']);
  expect(calls).toBe(55);
  // Stored in a version that is no longer served.
  expect(await report(relabeling, {}, ['v2'])).toEqual(good('v1 to v2'));
});

it('reports each failure once, in one line', async () => {
  const failing = converter((_, to) => {
    if (to === 'v1') throw new Error('no\nway');
  });
  expect(await report(failing)).toEqual(['preflight: x from v2 to v1: no way [converting x, from v2 to v1]']);
});

it('reports an answer that does not arrive in time', async () => {
  const silent: AsyncConverter = { convert: () => new Promise(() => {}) };
  expect(await report(silent)).toEqual([
    'preflight: x from v1 to v2: there was no answer in the 0.2 s that a dry run waits',
  ]);
});
