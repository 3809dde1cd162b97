// Decodes a request body in protobuf, with upstream's errors for bodies that cannot be decoded.
import { ApiError, apiErrors, type JsonObject } from '@instar/machinery';
import { decodeProtobuf } from './decode.ts';

export function decodeProtobufBody(body: Uint8Array): JsonObject {
  const object = decoded(body);
  if (object !== undefined) return object;
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
