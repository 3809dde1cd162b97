import { encodeJson, type JsonObject, type KubeObject, parseJson } from '@instar/machinery';
import { StoreError } from '@instar/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOwnBytes } from '../wire/own-json.ts';
import { CachedObject, encodeForClient, encodeForStore, withRevision as spliced } from './cached-object.ts';

const KEY = '/registry/widgets/a';
const entryOf = (value: Uint8Array | string, modRevision = 7) => ({
  key: KEY,
  value: Buffer.from(value),
  createRevision: 3,
  modRevision,
});
const cachedOf = (value: Uint8Array | string, modRevision = 7) =>
  CachedObject.fromEntry(entryOf(value, modRevision));

/** Names and values that trip up code which treats objects as dictionaries or text as ASCII. */
const oddKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'resourceVersion', 'metadata', '"', '\\', '\u2028', '😀', '\n'),
  fc.string(),
);
const integer = fc
  .bigInt(-(2n ** 63n), 2n ** 63n - 1n)
  .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n));
const { value: anyValue } = fc.letrec((again) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    integer,
    fc.boolean(),
    fc.constant(null),
    again('list'),
    again('object'),
  ),
  list: fc.array(again('value'), { maxLength: 3 }),
  object: fc.dictionary(oddKey, again('value'), { maxKeys: 4 }),
}));
const anyObject = fc
  .record({
    name: fc.string({ minLength: 1 }),
    labels: fc.dictionary(oddKey, fc.string()),
    rest: fc.dictionary(oddKey, anyValue),
  })
  .map(({ name, labels, rest }) => {
    const { apiVersion: _a, kind: _k, metadata: _m, ...others } = rest as JsonObject;
    return {
      ...others,
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name, labels },
    } as unknown as KubeObject;
  });
const withRevision = (object: KubeObject, revision: number) => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(revision) },
});
/** Equality of JSON values, own `__proto__` members included. */
const same = (a: unknown, b: unknown) => expect(sorted(a)).toBe(sorted(b));
const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted)}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sorted((value as JsonObject)[key])}`)}}`;
};

describe('the resourceVersion spliced into the stored bytes', () => {
  it('leaves everything else as it was', () => {
    fc.assert(
      fc.property(anyObject, fc.integer({ min: 1, max: 2 ** 50 }), (object, revision) => {
        same(cachedOf(encodeForStore(object), revision).parse(), withRevision(object, revision));
      }),
    );
  });

  it('is replaced by the revision of the deletion', () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), fc.nat(), (object, before, after) => {
        const deleted = cachedOf(encodeForStore(object), before).atRevision(after);
        same(deleted.parse(), withRevision(object, after));
        expect(deleted.metadata.resourceVersion).toBe(String(after));
      }),
    );
  });

  it('replaces a stored resourceVersion', () => {
    const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', resourceVersion: '1' } };
    expect(cachedOf(encodeForStore(object)).metadata.resourceVersion).toBe('7');
  });
});

describe('values in another layout', () => {
  it.each([
    ['indented', (object: KubeObject) => encodeJson(object, 2)],
    [
      'with a newline at the end, as Go writes them',
      (object: KubeObject) => `${new TextDecoder().decode(encodeForClient(object))}\n`,
    ],
    ['with metadata first', ({ metadata, ...rest }: KubeObject) => encodeJson({ metadata, ...rest })],
  ])('are read all the same: %s', (_, encode) => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const cached = cachedOf(encode(object));
        same(cached.parse(), withRevision(object, 7));
        expect(Buffer.from(cached.raw).includes('\n')).toBe(false);
      }),
    );
  });

  it('keep integers exact after white space', () => {
    const text = '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, "big": 9223372036854775807}';
    expect(cachedOf(text).parse()['big']).toBe(9223372036854775807n);
  });

  it.each([
    'k8s\0\n\x0c',
    '',
    'null',
    '[]',
    '{}',
    '{"apiVersion":"v1","kind":"A"}',
    '{"apiVersion":"v1","kind":"A","metadata":{}}',
    '{"kind":"A","metadata":{"name":"a"}}',
  ])('that are no objects are an error of the store: %j', (value) => {
    expect(() => cachedOf(value)).toThrow(StoreError);
    expect(() => cachedOf(value)).toThrow(`what is stored at ${KEY} is not an object`);
  });
});

describe('a cached object, without parsing', () => {
  const cached = cachedOf(
    encodeForStore({ apiVersion: 'example.com/v1', kind: 'A', metadata: { name: 'a', ownerReferences: [] } }),
  );

  it('knows the version it is stored in', () => expect(cached.storedApiVersion).toBe('example.com/v1'));

  it('knows whether metadata may have a member', () => {
    expect(cached.mayHave('ownerReferences')).toBe(true);
    expect(cached.mayHave('deletionTimestamp')).toBe(false);
  });

  it('has the metadata of the write that stored it, at its revision', () => {
    const written = cachedOf(encodeForStore({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }));
    written.seed({ name: 'a', resourceVersion: '6' });
    expect(written.metadata).toEqual({ name: 'a', resourceVersion: '7' });
    expect(written.mayHave('ownerReferences')).toBe(false);
  });
});

it('does not return forms of an earlier definition', () => {
  const cached = cachedOf(encodeForStore({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }));
  const [before, after] = [{}, {}];
  cached.cacheForm('v1', before, cached.raw);
  expect(cached.form('v1', before)).toBe(cached.raw);
  expect(cached.form('v2', before)).toBeUndefined();
  expect(cached.form('v1', after)).toBeUndefined();
  cached.cacheForm('v2', after, cached.raw);
  expect(cached.form('v1', after)).toBeUndefined();
});

it('parses its own bytes as the exact parser does', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const bytes = encodeForClient(object);
      same(parseOwnBytes(bytes), parseJson(bytes).value);
    }),
  );
});

it('parses its metadata alone to the same value as with the rest', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const cached = cachedOf(encodeForStore(object));
      same(cached.parseMetadata() as JsonObject, cached.parse().metadata as JsonObject);
    }),
  );
});

describe('forms in other versions', () => {
  const other = { apiVersion: 'example.com/v2', kind: 'A', metadata: { name: 'a', labels: { b: 'c' } } };
  const make = () => {
    const cached = cachedOf(
      encodeForStore({
        apiVersion: 'example.com/v1',
        kind: 'A',
        metadata: { name: 'a', labels: { a: 'a' } },
      }),
    );
    const generation = {};
    cached.cacheForm('example.com/v2', generation, spliced(encodeForStore(other), 7), { b: 'c' });
    return { cached, generation };
  };

  it('are those of the object when it is deleted, at the revision of the deletion', () => {
    const { cached, generation } = make();
    const gone = cached.atRevision(1234);
    expect(parseOwnBytes(gone.form('example.com/v2', generation)!)).toEqual({
      ...other,
      metadata: { ...other.metadata, resourceVersion: '1234' },
    });
    expect(gone.labelsIn('example.com/v2', generation)).toEqual({ b: 'c' });
  });

  it('have their own labels', () => {
    const { cached, generation } = make();
    expect(cached.labelsIn('example.com/v2', generation)).toEqual({ b: 'c' });
    expect(cached.labelsIn('example.com/v1', generation)).toEqual({ a: 'a' });
  });

  it('can be read without the revision', () => {
    const { cached, generation } = make();
    expect(parseOwnBytes(cached.withoutRevision(cached.form('example.com/v2', generation)!))).toEqual(other);
    expect(parseOwnBytes(cached.withoutRevision(cached.raw))['metadata']).toEqual({
      name: 'a',
      labels: { a: 'a' },
    });
  });

  it('can be dropped', () => {
    const { cached, generation } = make();
    cached.dropForm('example.com/v2', generation);
    expect(cached.form('example.com/v2', generation)).toBeUndefined();
  });
});

it('parses the metadata of a form, which may differ from the stored one', () => {
  const cached = cachedOf(
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{}}',
  );
  const form = encodeForClient({
    ...cached.parse(),
    metadata: { ...cached.parse().metadata, generateName: 'g' },
  });
  expect(cached.parseMetadata(form)).toEqual({ resourceVersion: '7', name: 'a', generateName: 'g' });
});

describe('the versions that managedFields name', () => {
  const entry = (apiVersion?: string) => ({
    manager: 'm',
    operation: 'Update',
    ...(apiVersion !== undefined && { apiVersion }),
    fieldsV1: { 'f:apiVersion': {} },
  });
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u' };
  const widget = (metadata: object, rest: object = {}) =>
    cachedOf(
      encodeForStore({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'a', ...metadata },
        ...rest,
      } as unknown as KubeObject),
    );

  it.each([
    ['there are no managedFields', {}, []],
    [
      'each is named once',
      { managedFields: [entry('g/v1'), entry('g/v2'), entry('g/v1'), entry()] },
      ['g/v1', 'g/v2'],
    ],
    ['the list is empty', { managedFields: [] }, []],
    [
      'owners have an apiVersion too, before them',
      { ownerReferences: [owner], managedFields: [entry('g/v1')] },
      ['g/v1'],
    ],
    [
      'owners have an apiVersion too, after them',
      { managedFields: [entry('g/v1')], ownerReferences: [owner] },
      ['g/v1'],
    ],
    [
      'an annotation contains other ones',
      {
        annotations: { a: JSON.stringify({ managedFields: [entry('g/v3')] }) },
        managedFields: [entry('g/v1')],
      },
      ['g/v1'],
    ],
  ])('are found in the bytes: %s', (_, metadata, expected) => {
    expect([...widget(metadata).managedVersions()]).toEqual(expected);
    expect([
      ...widget(metadata, { spec: { metadata: { managedFields: [entry('other/v1')] } } }).managedVersions(),
    ]).toEqual(expected);
  });
});
