import { encodeJson, type JsonObject } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Negotiated, PROTOBUF } from '../../wire/negotiate.ts';
import { respondObject } from '../../wire/respond.ts';
import { respondList } from './list-response.ts';
import '../index.ts';

const name = fc.constantFrom('a', 'some-key', '1', '', 'items', 'rows', 'key: value', '- x', '日本');
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('a\nb\n', 'true', '12', '', ' x', 'items: []\n', '"\\', 'a: b', '#'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 1, 0.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const anything = fc.dictionary(name, value, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;
const configMap = fc.record({
  metadata: fc.record({ name: text, labels: fc.dictionary(text, text, { noNullPrototype: true }) }),
  data: fc.dictionary(text, text, { noNullPrototype: true }),
}) as fc.Arbitrary<JsonObject>;

const negotiated = (mediaType: Negotiated['mediaType'], pretty = false): Negotiated => ({
  mediaType,
  pretty,
  representation: 'Object',
  representationVersion: 'v1',
});
const metadata = { continue: 'x', resourceVersion: '7' };

async function bytesOf(
  items: readonly JsonObject[],
  head: JsonObject,
  member: 'items' | 'rows',
  how: Negotiated,
) {
  const forms = items.map((item) => Buffer.from(encodeJson(item)));
  const { body, headers } = await respondList(
    { list: { ...head, [member]: [] }, member, forms, represent: (object) => object },
    how,
  );
  return { headers, bytes: Buffer.concat(body instanceof Uint8Array ? [body] : (body as Uint8Array[])) };
}

/** Encoded as one object. */
function wholeOf(items: readonly JsonObject[], head: JsonObject, member: 'items' | 'rows', how: Negotiated) {
  const { body, headers } = respondObject(200, { ...head, [member]: items }, how);
  return { headers, bytes: Buffer.from(body as Uint8Array) };
}

describe('a list that is encoded item by item equals one that is encoded as a whole', () => {
  it.each([
    ['JSON', negotiated('application/json')],
    ['pretty JSON', negotiated('application/json', true)],
    ['YAML', negotiated('application/yaml')],
    ['protobuf, of a kind that has none', negotiated(PROTOBUF)],
  ])('in %s', async (_, how) => {
    const head = { kind: 'WidgetList', apiVersion: 'example.com/v1', metadata };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anything, { maxLength: 3 }),
        fc.constantFrom<'items' | 'rows'>('items', 'rows'),
        async (items, member) => {
          expect(await bytesOf(items, head, member, how)).toEqual(wholeOf(items, head, member, how));
        },
      ),
    );
  });

  it('in protobuf', async () => {
    const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata };
    await fc.assert(
      fc.asyncProperty(fc.array(configMap, { maxLength: 3 }), async (items) => {
        const how = negotiated(PROTOBUF);
        const { headers, bytes } = await bytesOf(items, head, 'items', how);
        expect(headers['content-type']).toBe(PROTOBUF);
        expect(bytes.equals(wholeOf(items, head, 'items', how).bytes)).toBe(true);
      }),
    );
  });
});
