// JSON that this server has encoded itself.
import { type JsonObject, mayHoldLongNumber, parseJson } from '@instar/machinery';

/** Parses bytes that this server has encoded itself: no duplicate keys, valid JSON. */
export function parseOwnBytes(bytes: Uint8Array): JsonObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return (mayHoldLongNumber(text) ? parseJson(text).value : JSON.parse(text)) as JsonObject;
}
