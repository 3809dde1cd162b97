// Turns a request body in protobuf into one in JSON, so that nothing further in knows of protobuf.
import { ApiError, apiErrors, encodeJson } from '@instar/machinery';
import { decodeProtobuf } from './decode.ts';

const encoder = new TextEncoder();

export function protobufToJson(body: Uint8Array): Uint8Array {
  if (body.byteLength === 0) return body;
  const object = decoded(body);
  if (object !== undefined) return encoder.encode(encodeJson(object));
  throw new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
  });
}

function decoded(body: Uint8Array): ReturnType<typeof decodeProtobuf> {
  try {
    return decodeProtobuf(body);
  } catch (error) {
    throw apiErrors.badRequest(error instanceof Error ? error.message : String(error));
  }
}
