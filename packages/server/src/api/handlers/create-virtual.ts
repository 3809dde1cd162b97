// POST of an object that is not stored: the answer is computed from it.

import { quoteGo } from '@instar/go';
import type { StructType } from '@instar/kinds';
import { apiErrors, asKubeObject, isJsonObject, type JsonValue } from '@instar/machinery';
import { managerOf } from '@instar/ownership';
import { typedDecoder } from '../../kinds/typed/decode.ts';
import type { TypedDecoder } from '../../objects/definition.ts';
import type { ReviewResource } from '../../objects/virtual-resource.ts';
import { matchNamespace, timestamp } from '../../objects/write/system-fields.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { negotiate, PLAIN } from '../../wire/negotiate.ts';
import { respondObject } from '../../wire/respond.ts';
import { type FieldValidation, readWriteOptions } from './options.ts';
import { ownPosted } from './own-posted.ts';
import { bodyType, parseBody } from './parse-body.ts';

export async function createVirtual(request: ApiRequest, virtual: ReviewResource): Promise<ApiResponse> {
  const negotiated = negotiate(request, PLAIN);
  const type = bodyType(request);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const { value, duplicates } = await parseBody(body, type, apiErrors.badRequest);
  const sent = asKubeObject(objectOf(value, virtual));
  checkTypes(value, duplicates, virtual, options.fieldValidation, request.warnings);
  const agent = request.headers['user-agent'];
  const manager = managerOf(options.fieldManager, typeof agent === 'string' ? agent : undefined);
  const object = ownPosted(sent, { type: virtual.type, manager, now: timestamp(Date.now()) });
  request.audit?.requestObject(object);
  matchNamespace(object, request.info.namespace, virtual.namespaced);
  return respondObject(201, await virtual.create(request, object), negotiated);
}

const decoders = new WeakMap<StructType, TypedDecoder>();

function decoderOf(type: StructType): TypedDecoder {
  let decoder = decoders.get(type);
  if (decoder === undefined) decoders.set(type, (decoder = typedDecoder(type)));
  return decoder;
}

/** Refuses values of the wrong type, and, as the client asks, unknown and repeated fields. */
function checkTypes(
  value: JsonValue,
  duplicates: readonly string[],
  { type, kind, version }: ReviewResource,
  fieldValidation: FieldValidation,
  warnings: string[],
): void {
  const cannotHandle = (why: string) =>
    apiErrors.badRequest(`${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${why}`);
  const decoded = decoderOf(type)(value);
  if ('error' in decoded) throw cannotHandle(decoded.error);
  const unknown = decoded.unknownFields.map((path) => `unknown field ${quoteGo(path)}`);
  const strict = [...duplicates, ...unknown];
  if (strict.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') throw cannotHandle(`strict decoding error: ${strict.join(', ')}`);
  for (const text of strict) warnings.push(text);
}

/** Clients may omit the kind; another one is an error. */
function objectOf(value: JsonValue, { group, version, kind }: ReviewResource) {
  if (!isJsonObject(value))
    throw apiErrors.badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const apiVersion = `${group}/${version}`;
  const { apiVersion: sentVersion = apiVersion, kind: sentKind = kind } = value;
  if (sentVersion !== apiVersion) {
    throw apiErrors.badRequest(
      `the API version in the data (${String(sentVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (sentKind !== kind)
    throw apiErrors.badRequest(
      `${String(sentKind)} in version ${quoteGo(version)} cannot be handled as a ${kind}`,
    );
  return { ...value, apiVersion, kind, metadata: isJsonObject(value['metadata']) ? value['metadata'] : {} };
}
