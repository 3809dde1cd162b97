// Parses the bytes of a watch into events: one JSON object per line, of bounded length.
import {
  type ApiError,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseJson,
  type Status,
} from '@instar/machinery';
import { ConnectionError } from './connection-error.ts';
import type { WatchEvent } from './kube-api.ts';
import { apiErrorOfStatus } from './transport/api-error-of.ts';

const NEWLINE = 0x0a;

export async function* watchEvents<T extends KubeObject>(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<WatchEvent<T>> {
  for await (const line of lines(chunks, maxBytes)) yield eventOf<T>(line);
}

async function* lines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line =
        parts.length === 0
          ? chunk.subarray(start, end)
          : Buffer.concat([...parts, chunk.subarray(start, end)]);
      if (line.length > 0) yield line;
      [parts, length, start] = [[], 0, end + 1];
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxBytes)
      throw new ConnectionError('too-large', `an event of the watch has more than ${maxBytes} bytes`);
  }
  // An incomplete last line is dropped; the watch is resumed from the event before it.
}

function eventOf<T extends KubeObject>(line: Uint8Array): WatchEvent<T> {
  const event = parsed(line);
  const { type, object } = event;
  if (!isJsonObject(object)) throw new ConnectionError('malformed', 'an event of the watch has no object');
  if (type === 'ERROR') throw errorOf(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK')
    throw new ConnectionError(
      'malformed',
      `an event of the watch has the unknown type ${JSON.stringify(type)}`,
    );
  return { type, object: object as unknown as T };
}

function parsed(line: Uint8Array): JsonObject {
  try {
    const { value } = parseJson(line);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new ConnectionError('malformed', `an event of the watch is not JSON: ${(error as Error).message}`);
  }
  throw new ConnectionError('malformed', 'an event of the watch is not an object');
}

function errorOf(object: JsonObject): ApiError | ConnectionError {
  const status = object['kind'] === 'Status' ? apiErrorOfStatus(object as unknown as Status, 500) : undefined;
  return status ?? new ConnectionError('malformed', 'the watch ended with an error event without a Status');
}
