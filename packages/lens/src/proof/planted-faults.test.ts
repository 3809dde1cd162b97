// A handwritten converter that satisfies every law, and copies of it with one bug each: every bug is found,
// and shown by a minimal example.
import { deepCopy, type JsonObject, type KubeObject } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import {
  type ConvertFunction,
  type LawFailure,
  type ProofReport,
  type ProofVersion,
  prove,
} from './index.ts';

const common: Record<string, JSONSchemaProps> = {
  replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
  tags: { type: 'array', items: { type: 'string' } },
  template: { type: 'object', additionalProperties: { type: 'string' } },
};

const version = (name: string, properties: Record<string, JSONSchemaProps>): ProofVersion => ({
  name,
  apiVersion: `example.com/${name}`,
  kind: 'Widget',
  namespaced: true,
  schema: compileSchema({
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['bar' in properties ? 'bar' : 'bars'],
        properties: { ...common, ...properties },
      },
    },
  }),
});

const V1 = version('v1', { bar: { type: 'string' }, legacy: { type: 'string' } });
const V2 = version('v2', {
  bars: { type: 'array', minItems: 1, items: { type: 'string' } },
  mode: { type: 'string', enum: ['Fast', 'Safe'] },
});

const STASH = 'example.com/stash';

interface Faults {
  readonly drop?: 'template';
  readonly restoreStale?: boolean;
  readonly forgetOnAnyChange?: boolean;
  readonly wrongDefault?: boolean;
  readonly mutate?: boolean;
  readonly reorder?: boolean;
  readonly loseLabel?: boolean;
  readonly rename?: boolean;
  readonly counting?: boolean;
  readonly unknownField?: boolean;
  readonly refuse?: boolean;
}

type Stash = { head?: string; rest?: string[]; mode?: string; legacy?: string; whole?: string };

/**
 * What v1 cannot express (further bars, the mode) and what v2 cannot (legacy) is stashed in an annotation;
 * the bars only as long as the first is unchanged.
 */
function widget(faults: Faults = {}): ConvertFunction {
  let calls = 0;
  const convertOne = (object: KubeObject, desired: string): JsonObject => {
    calls++;
    if (object.apiVersion === desired) return object as unknown as JsonObject;
    const result = (faults.mutate === true
      ? object
      : deepCopy(object as unknown as JsonObject)) as unknown as JsonObject;
    const spec = result['spec'] as JsonObject;
    const stash = takeStash(result);
    result['apiVersion'] = desired;
    if (faults.drop !== undefined) delete spec[faults.drop];
    if (faults.wrongDefault === true && spec['tags'] === undefined) spec['tags'] = [];
    if (faults.unknownField === true && desired.endsWith('v2')) spec['extra'] = 1;
    if (faults.counting === true) spec['template'] = { calls: String(calls) };
    if (faults.rename === true && desired.endsWith('v2'))
      (result['metadata'] as JsonObject)['name'] = 'other';
    if (faults.loseLabel === true && desired.endsWith('v2'))
      delete (result['metadata'] as JsonObject)['labels'];
    if (faults.refuse === true && Number(spec['replicas']) > 50) throw new Error('too many replicas');
    if (desired.endsWith('v2')) toV2(spec, stash, result);
    else toV1(spec, stash, result);
    return result;
  };
  const toV2 = (spec: JsonObject, stash: Stash, result: JsonObject): void => {
    const { bar, legacy, ...rest } = spec;
    const isStale = stash.head !== bar && faults.restoreStale !== true;
    const bars = [
      faults.restoreStale === true ? (stash.head ?? bar!) : bar!,
      ...(isStale ? [] : (stash.rest ?? [])),
    ];
    result['spec'] = { ...rest, bars, ...(stash.mode !== undefined && { mode: stash.mode }) };
    const whole = faults.forgetOnAnyChange === true ? { whole: JSON.stringify([rest, bar]) } : {};
    if (legacy !== undefined) putStash(result, { legacy: legacy as string, ...whole });
  };
  const toV1 = (spec: JsonObject, stash: Stash, result: JsonObject): void => {
    const { bars, mode, ...rest } = spec;
    const [bar, ...others] = bars as string[];
    const isForgotten = faults.forgetOnAnyChange === true && stash.whole !== JSON.stringify([rest, bar]);
    result['spec'] = {
      ...rest,
      bar: bar!,
      ...(stash.legacy !== undefined && !isForgotten && { legacy: stash.legacy }),
    };
    const kept = {
      ...(others.length > 0 && { head: bar!, rest: others }),
      ...(mode !== undefined && { mode: mode as string }),
    };
    if (Object.keys(kept).length > 0) putStash(result, kept);
  };
  return (objects, desired) => {
    const converted = objects.map((object) => convertOne(object, desired));
    return { objects: faults.reorder === true ? converted.reverse() : converted };
  };
}

function takeStash(object: JsonObject): Stash {
  const annotations = (object['metadata'] as JsonObject)['annotations'] as JsonObject | undefined;
  const text = annotations?.[STASH];
  if (annotations === undefined || typeof text !== 'string') return {};
  delete annotations[STASH];
  if (Object.keys(annotations).length === 0) delete (object['metadata'] as JsonObject)['annotations'];
  return JSON.parse(text) as Stash;
}

function putStash(object: JsonObject, stash: Stash): void {
  const metadata = object['metadata'] as JsonObject;
  metadata['annotations'] = {
    ...(metadata['annotations'] as JsonObject | undefined),
    [STASH]: JSON.stringify(stash),
  };
}

const run = (faults: Faults, runs = 400): Promise<ProofReport> =>
  prove(widget(faults), [V1, V2], { runs, seed: 20261116 });
const lawsBroken = ({ failures }: ProofReport): string[] =>
  [...new Set(failures.map(({ law }) => law))].sort();
const failureOf = ({ failures }: ProofReport, law: string, from: string): LawFailure =>
  failures.find((one) => one.law === law && one.from === from)!;
const specOf = ({ objects }: LawFailure): unknown => objects[0]!['spec'];
const metadataKeys = ({ objects }: LawFailure): string[] => Object.keys(objects[0]!.metadata);

describe('prove', () => {
  it('finds nothing wrong with a converter that satisfies every law', { timeout: 60_000 }, async () => {
    const report = await run({}, 600);
    expect(report.failures).toEqual([]);
    expect(report.stashAnnotations).toEqual([STASH]);
    for (const { objects, laws } of report.directions) {
      expect(objects).toBe(600);
      for (const { law, checked } of laws) expect([law, checked >= 400]).toEqual([law, true]);
    }
  });

  it('finds a field that is dropped', async () => {
    const failure = failureOf(await run({ drop: 'template' }), 'round-trip', 'v1');
    expect(specOf(failure)).toEqual({ bar: '', replicas: 1, template: {} });
    expect(failure.violation.differences).toEqual([
      { place: ['spec', 'template'], path: 'spec.template', expected: {} },
    ]);
    expect(metadataKeys(failure)).toEqual(['name', 'namespace', 'uid', 'creationTimestamp']);
  });

  it('finds a stash that restores what was changed', async () => {
    const report = await run({ restoreStale: true });
    expect(lawsBroken(report)).toEqual(['edit']);
    const failure = failureOf(report, 'edit', 'v2');
    expect(specOf(failure)).toEqual({ bars: ['', ''], replicas: 1 });
    expect(failure.violation.edit).toMatchObject({ kind: 'set', place: ['spec', 'bar'] });
    expect(failure.violation.differences.map(({ path }) => path)).toEqual(['spec.bar']);
  });

  it('finds a stash that is discarded because of an unrelated change', async () => {
    const report = await run({ forgetOnAnyChange: true });
    expect(lawsBroken(report)).toEqual(['edit']);
    const failure = failureOf(report, 'edit', 'v1');
    expect(specOf(failure)).toEqual({ bar: '', replicas: 1, legacy: '' });
    expect(failure.violation.differences).toEqual([
      { place: ['spec', 'legacy'], path: 'spec.legacy', expected: '' },
    ]);
  });

  it('finds a default that is not the schema’s', async () => {
    const failure = failureOf(await run({ wrongDefault: true }), 'round-trip', 'v1');
    expect(specOf(failure)).toEqual({ bar: '', replicas: 1 });
    expect(failure.violation.differences).toEqual([{ place: ['spec', 'tags'], path: 'spec.tags', got: [] }]);
  });

  it('finds an input that is changed', async () => {
    const report = await run({ mutate: true });
    expect(lawsBroken(report)).toEqual(['input-untouched']);
    expect(specOf(failureOf(report, 'input-untouched', 'v1'))).toEqual({ bar: '', replicas: 1 });
  });

  it('reports only the order as broken for a batch returned in a different order', async () => {
    const report = await run({ reorder: true });
    expect(lawsBroken(report)).toEqual(['order']);
    const failure = failureOf(report, 'order', 'v1');
    expect(failure.objects.map((object) => object['spec'])).toEqual([
      { bar: '', replicas: 1 },
      { bar: '', replicas: 1 },
    ]);
  });

  it.each([
    [{ rename: true }, 'metadata', 'v1', 'metadata.name'],
    [{ loseLabel: true }, 'round-trip', 'v1', 'metadata.labels'],
    [{ unknownField: true }, 'valid-output', 'v1', 'spec.extra'],
    [{ counting: true }, 'determinism', 'v1', 'spec.template.calls'],
  ] as const)('finds %j by the law %s', async (faults, law, from, path) => {
    const { violation } = failureOf(await run(faults), law, from);
    expect(violation.differences.map((difference) => difference.path)).toEqual([path]);
  });

  it('finds the smallest object that does not convert', async () => {
    const failure = failureOf(await run({ refuse: true }), 'converts', 'v1');
    expect(failure.violation.message).toBe('the conversion failed: too many replicas');
    expect(failure.objects).toHaveLength(1);
    expect(specOf(failure)).toEqual({ bar: '', replicas: 51 });
  });

  it('says the same for the same seed', async () => {
    const [one, two] = [await run({ drop: 'template' }, 60), await run({ drop: 'template' }, 60)];
    expect(one).toEqual(two);
  });

  it('shrinks a sample that breaks a law', async () => {
    const sample = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'mine' },
      spec: { bar: 'x', replicas: 1, template: { a: 'b' } },
    };
    const { failures } = await prove(widget({ drop: 'template' }), [V1, V2], { runs: 0, samples: [sample] });
    expect(failures.map(({ objects }) => objects[0]!['spec'])).toContainEqual({
      bar: '',
      replicas: 1,
      template: {},
    });
  });
});
