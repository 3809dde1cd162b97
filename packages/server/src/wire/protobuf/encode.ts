// Encodes objects to Kubernetes' protobuf, byte for byte as Go's generated code does: fields in the order of
// their numbers, maps in the order of their keys, and zeros wherever Go has no pointer. The kinds define the
// fields; nothing is validated here.

import { compareUtf8, parseMicroTime, parseTime } from '@instar/go';
import { encodeJson, type JsonObject, type JsonValue } from '@instar/machinery';
import { BackwardWriter } from './backward-writer.ts';
import { messageOfKind } from './kinds.ts';
import type { Field, Message } from './message.ts';

const MAGIC = Buffer.from('k8s\0');

/** Undefined for a kind that has no protobuf message. */
export function encodeProtobuf(object: object): Uint8Array | undefined {
  const message = messageOf(object as JsonObject);
  if (message === undefined) return undefined;
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, message);
  return writer.finish();
}

/**
 * A watch event, after its length. The event itself has no envelope, as clients know its type.
 */
export function encodeWatchFrame(type: string, object: object): Uint8Array {
  const message = messageOf(object as JsonObject);
  if (message === undefined)
    throw new Error(`${(object as JsonObject)['kind']} cannot be watched in protobuf`);
  const writer = new BackwardWriter();
  writer.message(2, () => writer.message(1, () => writeEnvelope(writer, object as JsonObject, message)));
  writer.text(1, type);
  writer.frame();
  return writer.finish();
}

const ITEMS = 2;

interface ProtobufList {
  item(object: JsonObject): Uint8Array;
  /** The whole list, given its items. */
  around(items: readonly Uint8Array[]): readonly Uint8Array[];
}

/**
 * A list that is encoded item by item; undefined for a kind that has no protobuf message. All lists have the
 * same two fields.
 */
export function protobufListOf(list: JsonObject): ProtobufList | undefined {
  const message = messageOf(list);
  if (message === undefined) return undefined;
  const itemMessage = message.fields.get(ITEMS)!.type as Message;
  return {
    item(object) {
      const writer = new BackwardWriter();
      writer.message(ITEMS, () => writeMessage(writer, object, itemMessage));
      return writer.finish();
    },
    around(items) {
      const [before, behind] = [new BackwardWriter(), new BackwardWriter()];
      writeEnvelopeEnd(behind);
      const elsewhere = items.reduce((sum, item) => sum + item.byteLength, 0);
      before.message(2, () => writeMessage(before, { ...list, items: [] }, message), elsewhere);
      writeEnvelopeHead(before, list);
      return [before.finish(), ...items, behind.finish()];
    },
  };
}

const messageOf = ({ apiVersion = '', kind }: JsonObject): Message | undefined =>
  messageOfKind(apiVersion as string, kind as string);

/** runtime.Unknown: the type, the object itself, and that nothing is compressed. */
function writeEnvelope(writer: BackwardWriter, object: JsonObject, message: Message): void {
  writeEnvelopeEnd(writer);
  writer.message(2, () => writeMessage(writer, object, message));
  writeEnvelopeHead(writer, object);
}

function writeEnvelopeEnd(writer: BackwardWriter): void {
  writer.text(4, '');
  writer.text(3, '');
}

function writeEnvelopeHead(writer: BackwardWriter, { apiVersion, kind }: JsonObject): void {
  writer.message(1, () => {
    writer.text(2, kind as string);
    writer.text(1, (apiVersion ?? '') as string);
  });
  writer.encoded(MAGIC);
}

type WriteField = (writer: BackwardWriter, object: JsonObject) => void;
/** Writes a value that may be missing: Go may write its zero value then. */
type WriteValue = (writer: BackwardWriter, number: number, value: JsonValue | undefined) => void;

const compiled = new Map<Message, readonly WriteField[]>();

function writeMessage(writer: BackwardWriter, object: JsonObject, message: Message): void {
  let fields = compiled.get(message);
  if (fields === undefined) {
    fields = [...message.fields]
      .sort(([a], [b]) => b - a)
      .map(([number, field]) => fieldWriter(number, field));
    compiled.set(message, fields);
  }
  for (const write of fields) write(writer, object);
}

function fieldWriter(number: number, field: Field): WriteField {
  const { name, form, nullable } = field;
  const write = valueWriter(field);
  if (name === '') return (writer, object) => write(writer, number, object);
  if (form === 'list') return (writer, object) => writeList(writer, number, object[name], write);
  if (form === 'map') return (writer, object) => writeMap(writer, number, object[name], write);
  return (writer, object) => {
    const value = object[name];
    if (!nullable || (value !== undefined && value !== null)) write(writer, number, value);
  };
}

function writeList(
  writer: BackwardWriter,
  number: number,
  value: JsonValue | undefined,
  write: WriteValue,
): void {
  const items = (value ?? []) as JsonValue[];
  for (let i = items.length - 1; i >= 0; i--) write(writer, number, items[i]);
}

function writeMap(
  writer: BackwardWriter,
  number: number,
  value: JsonValue | undefined,
  write: WriteValue,
): void {
  const map = (value ?? {}) as JsonObject;
  for (const key of Object.keys(map).sort(compareUtf8).reverse()) {
    writer.message(number, () => {
      write(writer, 2, map[key]);
      writer.text(1, key);
    });
  }
}

function valueWriter({ type }: Field): WriteValue {
  if (typeof type === 'object') return messageWriter(type);
  switch (type) {
    case 'string':
      return (writer, number, value) => writer.text(number, (value ?? '') as string);
    case 'bytes':
      return (writer, number, value) => {
        if (typeof value === 'string') writer.bytes(number, Buffer.from(value, 'base64'));
      };
    case 'int':
      return (writer, number, value) => writer.integer(number, (value ?? 0) as number | bigint);
    case 'double':
      return (writer, number, value) => writer.double(number, Number(value ?? 0));
    case 'bool':
      return (writer, number, value) => writer.bool(number, value === true);
    case 'Time':
    case 'MicroTime':
      return (writer, number, value) => writer.message(number, () => writeTime(writer, value, type));
    case 'IntOrString':
      return (writer, number, value) => writer.message(number, () => writeIntOrString(writer, value ?? 0));
    case 'Quantity':
      return (writer, number, value) =>
        writer.message(number, () => writer.text(1, (value ?? '0') as string));
    case 'Json':
      return (writer, number, value) => writer.message(number, () => writeJson(writer, value));
  }
}

function messageWriter(message: Message): WriteValue {
  const { standIn } = message;
  if (standIn === undefined)
    return (writer, number, value) =>
      writer.message(number, () => writeMessage(writer, (value ?? {}) as JsonObject, message));
  return (writer, number, value) =>
    writer.message(number, () => writeMessage(writer, standIn.toMessage(value ?? {}), message));
}

/** Go's zero time is the beginning of the year 1. */
const NO_TIME_SECONDS = -62_135_596_800;

function writeTime(writer: BackwardWriter, value: JsonValue | undefined, type: 'Time' | 'MicroTime'): void {
  if (typeof value !== 'string') return;
  const parsed = type === 'Time' ? parseTime(value) : parseMicroTime(value);
  if ('fault' in parsed) return;
  const seconds = Math.floor(parsed.milliseconds / 1000);
  const microseconds =
    type === 'Time' ? 0 : (parsed.milliseconds - seconds * 1000) * 1000 + parsed.microseconds;
  if (seconds === NO_TIME_SECONDS && microseconds === 0) return;
  writer.integer(2, microseconds * 1000);
  writer.integer(1, seconds);
}

function writeIntOrString(writer: BackwardWriter, value: JsonValue): void {
  const isText = typeof value === 'string';
  writer.text(3, isText ? value : '');
  writer.integer(2, isText ? 0 : (value as number));
  writer.integer(1, isText ? 1 : 0);
}

function writeJson(writer: BackwardWriter, value: JsonValue | undefined): void {
  if (value !== undefined && value !== null) writer.text(1, encodeJson(value));
}
