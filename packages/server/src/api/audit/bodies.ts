// Bodies of requests and responses as JSON texts for audit events.
import {
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonInSteps,
} from '@instar/machinery';
import { TimeSlice } from '../../objects/time-slice.ts';
import { type ApiResponse, isStreamBody, type ResponseBody } from '../../wire/exchange.ts';
import { PROTOBUF } from '../../wire/negotiate.ts';
import { decodeProtobuf } from '../../wire/protobuf/decode.ts';
import { yamlThread } from '../../wire/yaml-thread.ts';

/** Longer bodies are left out of events, which say so. */
export const MAX_AUDITED_BYTES = 8 * 1024 * 1024;

/** A decoded object. It is encoded at once, since admission changes it. */
export function objectText(object: object, omitManagedFields: boolean): string {
  return encodeJson(omitManagedFields ? withoutManagedFields(object as JsonObject) : object);
}

/**
 * A patch as it was sent, on one line. What is not JSON becomes a string: kube-apiserver loses the event
 * then.
 */
export async function patchText(patch: Uint8Array, isYaml: boolean): Promise<string> {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString();
  try {
    JSON.parse(text);
    return onOneLine(text);
  } catch {
    if (!isYaml) return JSON.stringify(text);
  }
  try {
    return Buffer.from((await yamlThread.toJson(patch)).json).toString();
  } catch {
    return JSON.stringify(text);
  }
}

/** Removes white space between tokens, which is where JSON may have line breaks. */
const onOneLine = (json: string): string =>
  /[\n\r]/.test(json) ? json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') : json;

/** The body of a response in JSON, whatever the client negotiated; undefined if it has none. */
export async function responseText(
  response: ApiResponse,
  omitManagedFields: boolean,
): Promise<string | undefined> {
  const bytes = wholeBody(response.body);
  if (bytes === undefined || bytes.byteLength === 0) return undefined;
  const type = mediaTypeOf(response);
  if (type === 'application/json' && !(omitManagedFields && bytes.includes(MANAGED_FIELDS)))
    return onOneLine(bytes.toString());
  const object = await parsedBody(type, bytes);
  if (object === undefined) return undefined;
  return encodeInSteps(omitManagedFields ? withoutManagedFields(object) : object);
}

const MANAGED_FIELDS = Buffer.from('"managedFields"');

/** Undefined for a stream. */
function wholeBody(body: ResponseBody): Buffer | undefined {
  if (body === undefined || isStreamBody(body)) return undefined;
  return body instanceof Uint8Array
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    : Buffer.concat(body as Uint8Array[]);
}

export function bodyLength(body: ResponseBody): number {
  if (body === undefined || isStreamBody(body)) return 0;
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, part) => sum + part.byteLength, 0);
}

async function parsedBody(type: string, bytes: Buffer): Promise<JsonObject | undefined> {
  if (type === PROTOBUF) return decodeProtobuf(bytes);
  const slice = new TimeSlice();
  const json =
    type === 'application/json'
      ? bytes
      : type === 'application/yaml'
        ? (await yamlThread.toJson(bytes)).json
        : undefined;
  if (json === undefined) return undefined;
  const { value } = await parseJsonInSteps(json, () => slice.yieldIfOver());
  return isJsonObject(value) ? value : undefined;
}

const STATUS_START = Buffer.from('{"kind":"Status"');
/** A Status that says what was deleted. */
const MAX_STATUS_BYTES = 4096;

/** The Status that a successful response is, if it is one. */
export async function statusOf(response: ApiResponse): Promise<JsonObject | undefined> {
  if (bodyLength(response.body) > MAX_STATUS_BYTES) return undefined;
  const bytes = wholeBody(response.body);
  if (bytes === undefined) return undefined;
  const type = mediaTypeOf(response);
  if (type === 'application/json' && !bytes.subarray(0, STATUS_START.length).equals(STATUS_START))
    return undefined;
  const object = await parsedBody(type, bytes);
  return object?.['kind'] === 'Status' ? object : undefined;
}

const mediaTypeOf = ({ headers }: ApiResponse): string =>
  String(headers['content-type'] ?? '').split(';', 1)[0]!;

/** The items of lists and the objects in Tables have managedFields of their own. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata, items, rows } = object;
  return {
    ...object,
    ...(isJsonObject(metadata ?? null) && {
      metadata: withoutMember(metadata as JsonObject, 'managedFields'),
    }),
    ...(Array.isArray(items) && { items: items.map(stripped) }),
    ...(Array.isArray(rows) && object['kind'] === 'Table' && { rows: rows.map(strippedRow) }),
  };
}

const stripped = (item: JsonValue): JsonValue =>
  isJsonObject(item) && isJsonObject(item['metadata'] ?? null)
    ? { ...item, metadata: withoutMember(item['metadata'] as JsonObject, 'managedFields') }
    : item;

const strippedRow = (row: JsonValue): JsonValue =>
  isJsonObject(row) && row['object'] !== undefined ? { ...row, object: stripped(row['object']) } : row;

function withoutMember(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

/** Lists are encoded item by item, with pauses. */
async function encodeInSteps(object: JsonObject): Promise<string> {
  const { items, ...rest } = object;
  if (!Array.isArray(items)) return encodeJson(object);
  const slice = new TimeSlice();
  const texts: string[] = [];
  for (const item of items) {
    texts.push(encodeJson(item));
    await slice.yieldIfOver();
  }
  return `${encodeJson(rest).slice(0, -1)},"items":[${texts.join(',')}]}`;
}
