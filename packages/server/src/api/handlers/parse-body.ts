// Parses a body as JSON, YAML or protobuf. Faults have upstream's text; the caller makes the error from it.
// Long bodies are parsed in steps, so that other requests are answered meanwhile; long YAML in a thread of
// its own.
import { parseMediaType } from '@instar/go';
import {
  apiErrors,
  JsonParseError,
  type ParsedJson,
  type ParsedYaml,
  parseJson,
  parseJsonInSteps,
  parseYaml,
  TooManyMembersError,
  YamlError,
} from '@instar/machinery';
import { TimeSlice } from '../../objects/time-slice.ts';
import type { ApiRequest } from '../../wire/exchange.ts';
import { type MediaType, PROTOBUF, unsupportedMediaType } from '../../wire/negotiate.ts';
import { decodeProtobufBody } from '../../wire/protobuf/body.ts';
import { yamlThread } from '../../wire/yaml-thread.ts';

/** What is shorter is parsed at once, in about a millisecond; YAML in ten. */
const MAX_AT_ONCE_BYTES = 64 * 1024;

/** The media type of a request body; a body without one is JSON. */
export function bodyType(request: ApiRequest): MediaType {
  const header = contentType(request);
  if (header === '') return 'application/json';
  switch (parseMediaType(header)) {
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

/** The whole header, as sent. */
export function contentType(request: ApiRequest): string {
  const header = request.headers['content-type'];
  return Array.isArray(header) ? (header[0] ?? '') : (header ?? '');
}

export async function parseBody(
  body: Uint8Array,
  type: MediaType,
  refused: (why: string, isRange?: boolean) => Error,
): Promise<ParsedJson> {
  // Typed clients send built-in kinds in protobuf. An empty body is not parsed in any format.
  if (type === PROTOBUF && body.byteLength > 0) return { value: decodeProtobufBody(body), duplicates: [] };
  try {
    return await (type === 'application/yaml' ? parseYamlBody(body) : parseJsonBody(body));
  } catch (error) {
    if (error instanceof JsonParseError)
      throw error.kind === 'range'
        ? refused(error.message, true)
        : refused(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof YamlError) throw refused(error.message);
    throw error;
  }
}

/** For patches, which are always JSON. */
export async function parsePatch(body: Uint8Array, refused: (why: string) => Error): Promise<ParsedJson> {
  try {
    return await parseJsonBody(body);
  } catch (error) {
    if (error instanceof JsonParseError) throw refused(error.message);
    throw error;
  }
}

async function parseJsonBody(body: Uint8Array): Promise<ParsedJson> {
  if (body.byteLength <= MAX_AT_ONCE_BYTES) return parseJson(body);
  const slice = new TimeSlice();
  try {
    return await parseJsonInSteps(body, () => slice.yieldIfOver());
  } catch (error) {
    if (error instanceof TooManyMembersError) throw apiErrors.entityTooLarge(error.message);
    throw error;
  }
}

/** Throws YamlError. */
export async function parseYamlBody(body: Uint8Array): Promise<ParsedYaml> {
  if (body.byteLength <= MAX_AT_ONCE_BYTES) return parseYaml(body);
  const { json, duplicates } = await yamlThread.toJson(body);
  return { value: (await parseJsonBody(json)).value, duplicates };
}
