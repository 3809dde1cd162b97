// Answers made of bytes: JSON as it is, or pretty-printed, or as YAML.
import { encodeJson, type JsonObject, printYaml } from '@instar/machinery';
import { parseOwnBytes } from '../resource/cached-object.ts';
import type { ApiResponse } from './exchange.ts';
import type { Negotiated } from './negotiate.ts';

export function respondBytes(status: number, bytes: Uint8Array | readonly Uint8Array[], negotiated: Negotiated): ApiResponse {
  if (negotiated.mediaType === 'application/json' && !negotiated.pretty)
    return { status, headers: { 'content-type': 'application/json' }, body: bytes };
  const whole = bytes instanceof Uint8Array ? bytes : Buffer.concat(bytes as Uint8Array[]);
  return respondObject(status, parseOwnBytes(whole), negotiated);
}

export function respondObject(status: number, object: object, negotiated: Pick<Negotiated, 'mediaType' | 'pretty'>): ApiResponse {
  const headers = { 'content-type': negotiated.mediaType };
  if (negotiated.mediaType === 'application/yaml') return { status, headers, body: Buffer.from(printYaml(object as JsonObject)) };
  return { status, headers, body: Buffer.from(negotiated.pretty ? `${encodeJson(object, 2)}\n` : encodeJson(object)) };
}
