// Decodes objects from Kubernetes' protobuf to what the same objects in JSON would be. kubectl and typed Go
// clients send built-in kinds in protobuf.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { messageOfKind } from './kinds.ts';
import type { Field, Message } from './message.ts';
import { ProtobufError, ProtobufReader } from './reader.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Undefined for a kind that has no protobuf message. Throws ProtobufError for malformed bytes.
 */
export function decodeProtobuf(bytes: Uint8Array): JsonObject | undefined {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw new ProtobufError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  const { apiVersion, kind, raw } = readEnvelope(bytes.subarray(MAGIC.length));
  const message = messageOfKind(apiVersion, kind);
  return message === undefined ? undefined : { kind, apiVersion, ...readMessage(raw, message) };
}

/** runtime.Unknown: the type, and the object itself. */
function readEnvelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const envelope = { apiVersion: '', kind: '', raw: new Uint8Array(0) };
  eachField(bytes, (field, reader, skip) => {
    if (field === 1) {
      eachField(reader.bytes(), (part, inner, skipPart) => {
        if (part === 1) envelope.apiVersion = text.decode(inner.bytes());
        else if (part === 2) envelope.kind = text.decode(inner.bytes());
        else skipPart();
      });
    } else if (field === 2) envelope.raw = reader.bytes() as Uint8Array<ArrayBuffer>;
    else skip();
  });
  return envelope;
}

function eachField(
  bytes: Uint8Array,
  visit: (field: number, reader: ProtobufReader, skip: () => void) => void,
): void {
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const { field, wireType } = reader.tag();
    visit(field, reader, () => reader.skip(wireType));
  }
}

function readMessage(bytes: Uint8Array, message: Message): JsonObject {
  const { fields } = message;
  const out: JsonObject = {};
  eachField(bytes, (number, reader, skip) => {
    const field = fields.get(number);
    if (field === undefined) skip();
    else readField(out, field, reader);
  });
  return out;
}

function readField(out: JsonObject, field: Field, reader: ProtobufReader): void {
  if (field.form === 'map') {
    const map = (out[field.name] ??= Object.create(null) as JsonObject) as JsonObject;
    const [key, value] = readEntry(reader.bytes(), field);
    map[key] = value;
    return;
  }
  const value = readValue(reader, field);
  if (field.form === 'list') ((out[field.name] ??= []) as JsonValue[]).push(value ?? null);
  else if (field.name === '') Object.assign(out, value);
  // Go also writes zero values if they are not pointers, which JSON omits.
  else if (value !== undefined && (field.nullable || !isZero(value))) out[field.name] = value;
}

function readEntry(bytes: Uint8Array, field: Field): [string, JsonValue] {
  let key = '';
  let value: JsonValue | undefined;
  eachField(bytes, (part, reader, skip) => {
    if (part === 1) key = text.decode(reader.bytes());
    else if (part === 2) value = readValue(reader, field);
    else skip();
  });
  return [key, value ?? zeroOf(field)];
}

/** The value of a field that was not written, as Go does for nil bytes. */
function zeroOf({ type }: Field): JsonValue {
  if (type === 'string' || type === 'bytes') return '';
  if (type === 'Time' || type === 'MicroTime') return null;
  return typeof type === 'object' && type.standIn !== undefined ? type.standIn.fromMessage({}) : {};
}

function readValue(reader: ProtobufReader, { type }: Field): JsonValue | undefined {
  if (typeof type === 'object') {
    const message = readMessage(reader.bytes(), type);
    return type.standIn === undefined ? message : type.standIn.fromMessage(message);
  }
  switch (type) {
    case 'string':
      return text.decode(reader.bytes());
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'int':
      return reader.integer();
    case 'double':
      return reader.double();
    case 'bool':
      return reader.integer() !== 0;
    case 'Time':
      return readTime(reader.bytes(), 0);
    case 'MicroTime':
      return readTime(reader.bytes(), 6);
    case 'IntOrString':
      return readIntOrString(reader.bytes());
    case 'Quantity':
      return readQuantity(reader.bytes());
    case 'Json':
      return readJson(reader.bytes());
  }
}

/** Seconds and nanoseconds; without both, the time is not set. */
function readTime(bytes: Uint8Array, digits: 0 | 6): string | undefined {
  const [seconds, nanoseconds] = readNumbers(bytes);
  if (seconds === undefined) return undefined;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return digits === 0
    ? `${whole}Z`
    : `${whole}.${String(Math.floor((nanoseconds ?? 0) / 1000)).padStart(6, '0')}Z`;
}

function readNumbers(bytes: Uint8Array): (number | undefined)[] {
  const numbers: (number | undefined)[] = [];
  eachField(bytes, (field, reader, skip) => {
    if (field === 1 || field === 2) numbers[field - 1] = Number(reader.integer());
    else skip();
  });
  return numbers;
}

function readIntOrString(bytes: Uint8Array): number | string {
  let isText = false;
  let number = 0;
  let string = '';
  eachField(bytes, (field, reader, skip) => {
    if (field === 1) isText = reader.integer() === 1;
    else if (field === 2) number = Number(reader.integer());
    else if (field === 3) string = text.decode(reader.bytes());
    else skip();
  });
  return isText ? string : number;
}

function readQuantity(bytes: Uint8Array): string {
  let quantity = '0';
  eachField(bytes, (field, reader, skip) => {
    if (field === 1) quantity = text.decode(reader.bytes());
    else skip();
  });
  return quantity;
}

function readJson(bytes: Uint8Array): JsonValue | undefined {
  let value: JsonValue | undefined;
  eachField(bytes, (field, reader, skip) => {
    if (field === 1) value = JSON.parse(text.decode(reader.bytes())) as JsonValue;
    else skip();
  });
  return value;
}

function isZero(value: JsonValue): boolean {
  if (typeof value === 'object')
    return value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
