// Answers made of bytes: JSON as it is, or pretty-printed, or as YAML.
import { encodeJson, type JsonObject, printYaml, type Status } from '@instar/machinery';
import { parseOwnBytes } from '../resource/cached-object.ts';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { type Negotiated, negotiate, PLAIN } from './negotiate.ts';
import { statusResponse } from './responses.ts';

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

/** Errors come in the form that was asked for where that is JSON or YAML, and in JSON to those who can read neither. */
export function negotiatedStatus(status: Status, request: ApiRequest): ApiResponse {
  const plain = statusResponse(status);
  if (request.headers['accept'] === 'application/json') return plain;
  const negotiated = negotiateOrUndefined(request);
  if (negotiated === undefined || (negotiated.mediaType === 'application/json' && !negotiated.pretty)) return plain;
  const { headers, body } = respondObject(status.code, status, negotiated);
  return { status: status.code, headers: { ...plain.headers, ...headers }, body };
}

function negotiateOrUndefined(request: ApiRequest): Negotiated | undefined {
  try {
    return negotiate(request, PLAIN);
  } catch {
    return undefined;
  }
}
