// Responses in the negotiated media type: JSON, possibly pretty-printed, YAML or protobuf.
import { encodeJson, type JsonObject, printYaml, type Status } from '@instar/machinery';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { type Negotiated, negotiate, PLAIN, PROTOBUF } from './negotiate.ts';
import { parseOwnBytes } from './own-json.ts';
import { encodeProtobuf } from './protobuf/encode.ts';
import { statusResponse } from './responses.ts';

/** JSON as it is stored. */
export const isPlain = ({ mediaType, pretty }: Negotiated): boolean =>
  mediaType === 'application/json' && !pretty;

export function respondBytes(
  status: number,
  bytes: Uint8Array | readonly Uint8Array[],
  negotiated: Negotiated,
): ApiResponse {
  if (isPlain(negotiated)) return { status, headers: { 'content-type': 'application/json' }, body: bytes };
  const whole = bytes instanceof Uint8Array ? bytes : Buffer.concat(bytes as Uint8Array[]);
  return respondObject(status, parseOwnBytes(whole), negotiated);
}

export function respondObject(
  status: number,
  object: object,
  negotiated: Pick<Negotiated, 'mediaType' | 'pretty'>,
): ApiResponse {
  switch (negotiated.mediaType) {
    case 'application/yaml':
      return respondWith(status, negotiated.mediaType, Buffer.from(printYaml(object as JsonObject)));
    case 'application/json':
      return respondWith(status, negotiated.mediaType, jsonOf(object, negotiated.pretty));
    case PROTOBUF: {
      const bytes = encodeProtobuf(object);
      // A kind without a protobuf message is sent in JSON, which all clients read.
      return bytes === undefined
        ? respondWith(status, 'application/json', jsonOf(object, negotiated.pretty))
        : respondWith(status, PROTOBUF, bytes);
    }
  }
}

const jsonOf = (object: object, pretty: boolean): Uint8Array =>
  Buffer.from(pretty ? `${encodeJson(object, 2)}\n` : encodeJson(object));

function respondWith(status: number, contentType: string, body: Uint8Array): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body };
}

/** Errors are sent in the negotiated media type, or in JSON if the client accepts none. */
export function negotiatedStatus(status: Status, request: ApiRequest): ApiResponse {
  const plain = statusResponse(status);
  if (request.headers['accept'] === 'application/json') return plain;
  const negotiated = negotiateOrUndefined(request);
  if (negotiated === undefined || isPlain(negotiated)) return plain;
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
