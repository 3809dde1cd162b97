import type { JsonObject, JsonValue, KubeObject, ObjectMeta } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guard } from './metadata-guard.ts';
import { sourceOf } from './source.ts';
import { cronTab, V2 } from './testing/fake-webhook.ts';

const json = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
const guarded = (object: KubeObject, converted: JsonValue) => guard(sourceOf(object), converted, V2, 0);

const labels = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/),
  fc.stringMatching(/^[a-z0-9]{0,8}$/),
  { maxKeys: 4 },
);
const metadata: fc.Arbitrary<ObjectMeta> = fc.record(
  {
    name: fc.stringMatching(/^[a-z]{1,8}$/),
    namespace: fc.constantFrom('default', 'other'),
    uid: fc.uuid(),
    resourceVersion: fc.nat().map(String),
    generation: fc.nat(),
    creationTimestamp: fc.constant('2026-01-01T00:00:00Z'),
    finalizers: fc.array(fc.constantFrom('example.com/a', 'example.com/b'), { maxLength: 2 }),
    ownerReferences: fc.constant([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }]),
    labels,
    annotations: labels,
  },
  { requiredKeys: ['name', 'uid'] },
);
const objects = metadata.map((meta): KubeObject => cronTab('x', { metadata: meta }));

/** What a webhook may do to the rest of the metadata, sensible or not. */
const meddling = fc.record(
  {
    resourceVersion: fc.jsonValue(),
    generation: fc.jsonValue(),
    creationTimestamp: fc.jsonValue(),
    deletionTimestamp: fc.jsonValue(),
    finalizers: fc.jsonValue(),
    ownerReferences: fc.jsonValue(),
    managedFields: fc.jsonValue(),
    selfLink: fc.jsonValue(),
    __proto__: fc.jsonValue(),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe('metadata after a conversion', () => {
  it('is restored, except for labels and annotations, whatever else the webhook changed', () => {
    fc.assert(
      fc.property(objects, meddling, labels, labels, (object, deeds, newLabels, newAnnotations) => {
        const said = {
          ...json(object),
          apiVersion: V2,
          metadata: {
            ...json(object.metadata),
            ...(deeds as JsonObject),
            labels: newLabels,
            annotations: newAnnotations,
          },
        };
        const result = guarded(object, said as JsonObject);
        expect('object' in result).toBe(true);
        const {
          labels: gotLabels,
          annotations: gotAnnotations,
          ...rest
        } = (result as { object: KubeObject }).object.metadata;
        const { labels: _labels, annotations: _annotations, ...before } = object.metadata;
        expect(rest).toEqual(before);
        expect(gotLabels ?? {}).toEqual(newLabels);
        expect(gotAnnotations ?? {}).toEqual(newAnnotations);
      }),
    );
  });

  it('stays that of the same object', () => {
    fc.assert(
      fc.property(
        objects,
        fc.constantFrom('name', 'namespace', 'uid'),
        fc.jsonValue(),
        (object, field, value) => {
          const said = {
            ...json(object),
            apiVersion: V2,
            metadata: { ...json(object.metadata), [field]: value as JsonValue },
          };
          const before = object.metadata[field as 'name'] ?? '';
          const isSame = (typeof value === 'string' ? value : '') === before;
          expect('object' in guarded(object, said as JsonObject)).toBe(isSame);
        },
      ),
    );
  });

  it('keeps its uid or is reported as a fault, whatever was returned', () => {
    fc.assert(
      fc.property(objects, fc.jsonValue(), fc.jsonValue(), (object, any, meta) => {
        expect('fault' in guarded(object, any as JsonValue)).toBe(true);
        const result = guarded(object, { ...json(object), apiVersion: V2, metadata: meta as JsonValue });
        if ('object' in result) expect(result.object.metadata.uid).toBe(object.metadata.uid);
      }),
    );
  });

  it('is not shared with the original where it changes', () => {
    const object = cronTab('a', { metadata: { name: 'a', uid: 'u', labels: { a: 'b' } } });
    const before = structuredClone(object);
    guarded(object, {
      ...json(object),
      apiVersion: V2,
      metadata: { name: 'a', uid: 'u', labels: { a: 'c' } },
    });
    expect(object).toEqual(before);
  });
});

const said = (change: JsonObject): JsonObject => ({
  apiVersion: V2,
  kind: 'CronTab',
  metadata: { name: 'a', namespace: 'ns', uid: 'uid-of-a', ...change },
});

it.each([
  ['another name', said({ name: 'b' }), 'returned invalid object: must have the same name: a != b'],
  [
    'no namespace',
    said({ namespace: null }),
    'returned invalid object: must have the same namespace: ns != ',
  ],
  ['another uid', said({ uid: 'x' }), 'returned invalid object: must have the same UID: uid-of-a != x'],
  [
    'another kind',
    { ...said({}), kind: 'X' },
    'returned invalid object at index 0: invalid kind (expected CronTab, received X)',
  ],
  [
    'no metadata',
    { apiVersion: V2, kind: 'CronTab' },
    'returned invalid object: must have the same name: a != ',
  ],
  [
    'a label that is none',
    said({ labels: { a: 'b c' } }),
    'returned invalid metadata: metadata.labels: Invalid value: "b c": a valid label',
  ],
  [
    'a label that is a number',
    said({ labels: { a: 1 } }),
    'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
  ],
  [
    'labels that are a list',
    said({ labels: [] }),
    'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
  ],
  [
    'annotations too long',
    said({ annotations: { a: 'x'.repeat(262_144) } }),
    'returned invalid metadata: metadata.annotation: Too long: may not be more than 262144 bytes',
  ],
  ['null', null, 'returned invalid object at index 0: unexpected end of JSON input'],
])('refuses %s', (_, converted, text) => {
  const result = guarded(cronTab('a'), converted as JsonValue);
  expect('fault' in result && result.fault).toContain(text);
});

it('keeps labels that were never valid, as long as they do not change', () => {
  const object = cronTab('a', {
    metadata: { name: 'a', namespace: 'ns', uid: 'uid-of-a', labels: { 'not valid': 'not valid' } },
  });
  expect('object' in guarded(object, said({ labels: { 'not valid': 'not valid' } }))).toBe(true);
  expect('fault' in guarded(object, said({ labels: { 'not valid': 'other' } }))).toBe(true);
});
