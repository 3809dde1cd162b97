import { printMicroTime, printTime } from '@instar/go';
import type { JsonObject, JsonValue } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerReviews } from '../../api/auth/review-messages.ts';
import { registerDiscovery } from '../../api/discovery/messages.ts';
import '../../kinds/index.ts';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf } from './encode.ts';
import { registeredMessages } from './kinds.ts';
import type { Field, Message } from './message.ts';

registerReviews();
registerDiscovery();

/**
 * JSON values as Go writes them after reading them: zero values are omitted unless the field is a pointer in
 * Go.
 */
type Value = fc.Arbitrary<JsonValue | undefined>;

const MAX_DEPTH = 5;
const text = fc.string({ unit: 'binary', maxLength: 8 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n));
const SECONDS = { min: -62_135_596_799, max: 253_402_300_799 };

function scalar(type: Field['type']): Value | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'bytes':
      return fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'int':
      return fc.oneof(int32, int64);
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'bool':
      return fc.boolean();
    case 'Time':
      return fc.integer(SECONDS).map((seconds) => printTime(seconds * 1000));
    case 'MicroTime':
      return fc
        .tuple(fc.integer(SECONDS), fc.nat(999), fc.nat(999))
        .map(([s, ms, us]) => printMicroTime(s * 1000 + ms, us));
    case 'IntOrString':
      return fc.oneof(int32, text);
    case 'Quantity':
      return fc.oneof(fc.nat().map(String), fc.constantFrom('250m', '1Gi', '0.5'));
    case 'Json':
      return fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    default:
      return undefined;
  }
}

/** By depth. */
const arbitraries = new Map<Message, fc.Arbitrary<JsonObject>[]>();

function messageOf(type: Message, depth: number): fc.Arbitrary<JsonObject> {
  const known = arbitraries.get(type) ?? [];
  arbitraries.set(type, known);
  if (known[depth] === undefined) {
    const fields = [...type.fields.values()].filter((field) => depth > 0 || scalar(field.type) !== undefined);
    known[depth] = fc
      .tuple(...fields.map((field) => fieldOf(field, depth).map((value) => [field.name, value] as const)))
      .map(assembled);
  }
  return known[depth];
}

function assembled(fields: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of fields) {
    if (name === '') Object.assign(object, value);
    else if (value !== undefined) object[name] = value;
  }
  return object;
}

function fieldOf(field: Field, depth: number): Value {
  const value = singleValueOf(field, depth);
  const rarely = (made: Value): Value =>
    fc.option(made, {
      nil: undefined,
      freq: scalar(field.type) === undefined && depth < MAX_DEPTH - 1 ? 1 : 4,
    });
  if (field.form === 'list')
    return rarely(
      fc.array(
        value.map((item) => item ?? null),
        { minLength: 1, maxLength: 2 },
      ),
    );
  if (field.form === 'map')
    return rarely(
      fc.dictionary(
        text,
        value.map((item) => item ?? ''),
        { minKeys: 1, maxKeys: 3, noNullPrototype: true },
      ),
    );
  return rarely(value.map((made) => (isLeftOut(made, field) ? undefined : made)));
}

function isLeftOut(value: JsonValue | undefined, { nullable }: Field): boolean {
  if (nullable || value === null) return value === null;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function singleValueOf({ type }: Field, depth: number): Value {
  if (typeof type === 'string') return scalar(type)!;
  const schema = (): fc.Arbitrary<JsonObject> => messageOf(schemaIn(type), depth - 1);
  switch (type.name) {
    case 'ExtraValue':
    case 'v1.ExtraValue':
    case 'Verbs':
      return fc.array(text, { maxLength: 2 });
    case 'v1.JSONSchemaPropsOrArray':
      return fc.oneof(schema(), fc.array(schema(), { minLength: 1, maxLength: 2 }));
    case 'v1.JSONSchemaPropsOrStringArray':
      return fc.oneof(schema(), fc.array(text, { minLength: 1, maxLength: 2 }));
    case 'v1.JSONSchemaPropsOrBool':
      return fc.oneof(schema(), fc.boolean());
    default:
      return messageOf(type, depth - 1);
  }
}

const schemaIn = ({ fields }: Message): Message =>
  [...fields.values()].find(({ name }) => name === 'schema')!.type as Message;

describe('encoding and decoding', () => {
  it.each([...registeredMessages()])('keeps every value of %s', (key, message) => {
    const [apiVersion = '', kind = ''] = key.split(' ');
    fc.assert(
      fc.property(messageOf(message, MAX_DEPTH), (fields) => {
        const object = { ...fields, kind, apiVersion };
        expect(decodeProtobuf(encodeProtobuf(object)!)).toEqual(object);
      }),
      { numRuns: 25 },
    );
  });
});
