// Parses a body as JSON, YAML or protobuf. Faults have upstream's text; the caller makes the error from it.
import { JsonParseError, type ParsedJson, parseJson, parseYaml, YamlError } from '@instar/machinery';
import type { ApiRequest } from '../../wire/exchange.ts';
import { type MediaType, PROTOBUF, unsupportedMediaType } from '../../wire/negotiate.ts';
import { decodeProtobufBody } from '../../wire/protobuf/body.ts';

/** The media type of a request body; a body without one is JSON. */
export function bodyType(request: ApiRequest): MediaType {
  switch (contentType(request)) {
    case '':
    case 'application/json':
      return 'application/json';
    case 'application/yaml':
      return 'application/yaml';
    case PROTOBUF:
      return PROTOBUF;
    default:
      throw unsupportedMediaType();
  }
}

export function contentType(request: ApiRequest): string {
  const header = request.headers['content-type'];
  const [type = ''] = (Array.isArray(header) ? (header[0] ?? '') : (header ?? '')).split(';');
  return type.trim().toLowerCase();
}

export function parseBody(body: Uint8Array, type: MediaType, refused: (why: string) => Error): ParsedJson {
  // Typed clients send built-in kinds in protobuf. An empty body is not parsed in any format.
  if (type === PROTOBUF && body.byteLength > 0) return { value: decodeProtobufBody(body), duplicates: [] };
  try {
    return type === 'application/yaml' ? parseYaml(body) : parseJson(body);
  } catch (error) {
    if (error instanceof JsonParseError)
      throw refused(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof YamlError) throw refused(error.message);
    throw error;
  }
}

/** For patches, which are always JSON. */
export function parsePatch(body: Uint8Array, refused: (why: string) => Error): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonParseError) throw refused(error.message);
    throw error;
  }
}
