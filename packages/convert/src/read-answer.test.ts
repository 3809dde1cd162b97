import { decodeUtf8, encodeUtf8 } from '@instar/go';
import {
  encodeJson,
  type JsonObject,
  type JsonShape,
  type JsonValue,
  type KubeObject,
  MEMBERLESS,
  type MemberShape,
  NameTable,
  VALUE_START,
} from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Encoded } from './batches.ts';
import { guard } from './metadata-guard.ts';
import { type AnsweredObject, readAnswer } from './read-answer.ts';
import { sourceOf } from './source.ts';
import { cronTab, V2 } from './testing/fake-webhook.ts';

/** spec.schedule and spec.size, without members of their own and never null. */
const member = (of: JsonShape): MemberShape => ({
  shape: of,
  mayBeNull: false,
  isRequired: false,
  start: VALUE_START.any,
});
const withNames = (members: Record<string, JsonShape>): JsonShape => ({
  ...MEMBERLESS,
  names: new NameTable(new Map(Object.entries(members).map(([name, of]) => [name, member(of)]))),
});
const shape = withNames({ spec: withNames({ schedule: MEMBERLESS, size: MEMBERLESS }) });

/** What a schema of that shape would leave of an object. */
function prune(object: KubeObject): void {
  const { schedule, size } = object['spec'] as JsonObject;
  const kept = Object.entries({ schedule, size }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  object['spec'] = Object.fromEntries(kept.map(([name, value]) => [name, memberless(value!)]));
}

function memberless(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(memberless);
  return typeof value === 'object' && value !== null ? {} : value;
}

const expected = { uid: 'u', apiVersion: 'apiextensions.k8s.io/v1', count: 1 } as const;

/** As the server sends it: cut after the opening brace of metadata. */
function sent(object: KubeObject): Encoded {
  const [head, rest] = encodeJson(object).split(/(?<="metadata":\{)/) as [string, string];
  const metadataLength = encodeUtf8(encodeJson(object.metadata)).length - 1;
  return {
    index: 0,
    source: sourceOf(object),
    json: { head: encodeUtf8(head), rest: encodeUtf8(rest), metadataLength },
  };
}

const review = (objects: readonly string[], result = '{"status":"Success"}'): string =>
  `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u","convertedObjects":[${objects.join()}],"result":${result}}}`;

const answerOf = (body: string) => ({
  status: 200,
  contentType: 'application/json',
  body,
  bytes: encodeUtf8(body),
});

function read(objects: readonly KubeObject[], body: string) {
  return readAnswer(answerOf(body), { ...expected, count: objects.length }, objects.map(sent), {
    apiVersion: V2,
    shape,
  });
}

const one = (object: KubeObject, converted: string): AnsweredObject => {
  const result = read([object], review([converted]));
  if (!('objects' in result)) throw new Error(result.text);
  return result.objects[0]!;
};
const isUnparsed = (object: KubeObject, converted: string): boolean => 'rest' in one(object, converted);

/** What a client would see in the end. */
function shown(object: KubeObject, answered: AnsweredObject): unknown {
  if ('rest' in answered)
    return JSON.parse(`{"apiVersion":"${V2}","kind":"CronTab","metadata":{${decodeUtf8(answered.rest)}`);
  const guarded = guard(sent(object).source, answered.value, V2, 0);
  if ('fault' in guarded) return guarded.fault;
  prune(guarded.object);
  return JSON.parse(encodeJson(guarded.object));
}

const converted = (object: KubeObject, more: object = {}): KubeObject => ({
  ...object,
  apiVersion: V2,
  spec: { schedule: '*' },
  ...more,
});
const a = cronTab('a', {
  metadata: { name: 'a', namespace: 'ns', uid: 'ua', labels: { x: 'y' }, generation: 1 },
});

describe('an object of an answer', () => {
  it('is not parsed if its metadata came back unchanged and the schema knows the rest', () => {
    expect(isUnparsed(a, encodeJson(converted(a)))).toBe(true);
    const { apiVersion, kind, ...rest } = converted(a);
    expect(isUnparsed(a, encodeJson({ kind, apiVersion, ...rest }))).toBe(true);
  });

  it('is not parsed if its metadata differs only in order, or in what is restored', () => {
    const { name, namespace, uid, labels } = a.metadata;
    const metadata = { uid, creationTimestamp: null, labels: { ...labels }, namespace, name };
    const answered = one(a, encodeJson(converted(a, { metadata })));
    expect('rest' in answered).toBe(true);
    expect(shown(a, answered)).toEqual(converted(a));
  });

  it.each<[string, object]>([
    ['a label', { metadata: { ...a.metadata, labels: { x: 'z' } } }],
    ['no labels', { metadata: { ...a.metadata, labels: undefined } }],
    ['another name', { metadata: { ...a.metadata, name: 'b' } }],
    ['an annotation', { metadata: { ...a.metadata, annotations: { x: 'y' } } }],
    ['no metadata', { metadata: undefined }],
    ['a field that the schema does not know', { spec: { schedule: '*', more: 1 } }],
    ['a number that is written otherwise', { spec: { size: 1e21 } }],
    ['another version', { apiVersion: 'stable.example.com/v3' }],
    ['another kind', { kind: 'Job' }],
  ])('is looked at if it came back with %s', (_, more) => {
    expect(isUnparsed(a, encodeJson(converted(a, more)))).toBe(false);
  });

  it('is parsed if it has metadata twice', () => {
    const twice = encodeJson(converted(a)).replace(/\}$/, ',"metadata":{"name":"b"}}');
    const answered = one(a, twice);
    expect('value' in answered).toBe(true);
    expect(shown(a, answered)).toContain('must have the same name');
  });

  it('reads the same, parsed or not', () => {
    const field = fc.constantFrom('schedule', 'size', 'other', 'é"\\\n');
    const value = fc.oneof(
      fc.constantFrom<unknown>(null, '*', '\u2028"\\', 1, 0.5, 1e21, true, {}, [], { a: [1, { b: null }] }),
      fc.string(),
    );
    const metadata = fc.constantFrom<object>(
      {},
      { labels: { x: 'z' } },
      { labels: {} },
      { annotations: { k: 'v' } },
      { uid: 'other' },
      { generation: 7 },
    );
    const spacing = fc.constantFrom<string | undefined>(undefined, undefined, ' ');
    fc.assert(
      fc.property(
        fc.dictionary(field, value),
        metadata,
        spacing,
        fc.boolean(),
        (spec, meta, space, reversed) => {
          const made = converted(a, { spec, metadata: { ...a.metadata, ...meta } });
          const ordered = reversed ? Object.fromEntries(Object.entries(made).reverse()) : made;
          const text = JSON.stringify(ordered, null, space);
          expect(shown(a, one(a, text))).toEqual(shown(a, { value: JSON.parse(text) }));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('an answer', () => {
  it('keeps objects in their positions, parsed or not', () => {
    const objects = ['a', 'b', 'c'].map((name) => cronTab(name));
    const texts = objects.map((object) => encodeJson(converted(object)));
    texts[1] = encodeJson(converted(objects[1]!, { spec: { unknown: 1 } }));
    const result = read(objects, `${review(texts)}\n`);
    expect('objects' in result && result.objects.map((object) => 'rest' in object)).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      'objects' in result &&
        result.objects.map((object, i) => (shown(objects[i]!, object) as KubeObject).metadata.name),
    ).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['that refuses', review([], '{"status":"Failure","message":"no"}'), 'failed: no'],
    ['with too few objects', review([]), 'returned 0 objects, expected 1'],
    [
      'with another uid',
      review([encodeJson(converted(a))]).replace('"u"', '"w"'),
      'expected response.uid="u", got "w"',
    ],
    [
      'that ends in an object',
      '{"kind":"ConversionReview","response":{"convertedObjects":[{"a":',
      "couldn't get version/kind",
    ],
    ['with an object that is none', review(['{"a":tru}']), "couldn't get version/kind"],
    [
      'with a list and none',
      review([encodeJson(converted(a))]).replace('"result"', '"convertedObjects":null,"result"'),
      'returned 0 objects, expected 1',
    ],
    [
      'with two responses',
      `${review([encodeJson(converted(a))]).slice(0, -1)},"response":null}`,
      'no response provided',
    ],
    [
      'with two lists',
      review([]).replace('"uid"', '"convertedObjects":[],"uid"'),
      'returned 0 objects, expected 1',
    ],
  ])('%s has its usual fault', (_, body, text) => {
    expect(read([a], body)).toMatchObject({ text: expect.stringContaining(text) });
  });

  it('with another HTTP status is an error whatever its body', () => {
    const answer = { ...answerOf(review([encodeJson(converted(a))])), status: 500 };
    expect(readAnswer(answer, expected, [sent(a)], { apiVersion: V2, shape })).toMatchObject({
      http: { status: 500 },
    });
  });
});
