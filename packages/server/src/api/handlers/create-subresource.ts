// POST of a subresource that takes an object of another kind: pods/binding, pods/eviction.
import { apiErrors, isJsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { typedDecoder } from '../../kinds/typed/decode.ts';
import type { TypedDecoder } from '../../objects/definition.ts';
import type { CreatedSubresource } from '../../objects/subresource.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import type { AdmissionOperation } from '../../objects/write/write-request.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { PLAIN } from '../../wire/negotiate.ts';
import { respondObject } from '../../wire/respond.ts';
import { type Decoding, decodeBody } from './decode.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { readWriteOptions } from './options.ts';
import { ownPosted } from './own-posted.ts';
import { bodyType, parseBody } from './parse-body.ts';
import type { RequestScope } from './request-scope.ts';
import { createCall } from './subresource-call.ts';
import { writeRequest } from './write.ts';

const decoders = new WeakMap<CreatedSubresource, TypedDecoder>();

function decoderOf(declared: CreatedSubresource): TypedDecoder {
  let decoder = decoders.get(declared);
  if (decoder === undefined) decoders.set(declared, (decoder = makeDecoder(declared)));
  return decoder;
}

function makeDecoder({ type, fillIn }: CreatedSubresource): TypedDecoder {
  const decode = typedDecoder(type);
  return (raw) => {
    const decoded = decode(raw);
    if ('object' in decoded) fillIn?.(decoded.object);
    return decoded;
  };
}

export async function createSubresource(
  scope: RequestScope,
  declared: CreatedSubresource,
): Promise<ApiResponse> {
  const { request } = scope;
  const negotiated = negotiateScope(scope, PLAIN);
  const type = bodyType(request);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const apiVersion = await acceptedVersion(declared, body, type);
  const decoding = { ...decodingOf(scope, declared, apiVersion), fieldValidation: options.fieldValidation };
  const decoded = await decodeBody(body, type, decoding);
  request.audit?.requestObject(decoded);
  checkNamespace(scope, decoded);
  if (scope.name === '' && !decoded.metadata.name) throw apiErrors.badRequest('Name parameter required.');
  // An object that is posted to a collection of its own names the one that it is for.
  const named = scope.name === '' ? { ...scope, name: decoded.metadata.name ?? '' } : scope;
  const write = writeRequest(named, options);
  const { manager, now } = write;
  const owner = { manager, subresource: declared.name, now: timestamp(now) };
  const object = ownPosted(decoded, { type: declared.type, blank: declared.blank, ...owner });
  const decode = (patched: JsonValue): KubeObject => decodeAs(declared, apiVersion, patched);
  const operation: AdmissionOperation = {
    operation: 'CREATE',
    object,
    old: undefined,
    write,
    options,
    decode,
  };
  const admitted = (await write.admission.mutate(operation)) ?? object;
  const admit = () => write.admission.validate({ ...operation, object: admitted });
  const call = createCall(named, write, admitted, admit);
  return respondObject(201, await declared.create(call), negotiated);
}

function decodingOf(
  { resource, version, request }: RequestScope,
  declared: CreatedSubresource,
  apiVersion: string,
): Omit<Decoding, 'fieldValidation'> {
  const { kind, group } = declared.kind;
  const decode = decoderOf(declared);
  return {
    resource,
    kind,
    version: { apiVersion, group, version: declared.kind.version, decode, schema: version.schema },
    warnings: request.warnings,
  };
}

/** A body without an apiVersion has the first one. */
async function acceptedVersion(
  { kind, alsoAccepts = [] }: CreatedSubresource,
  body: Uint8Array,
  type: Parameters<typeof parseBody>[1],
): Promise<string> {
  const own = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  if (alsoAccepts.length === 0) return own;
  const { value } = await parseBody(body, type, apiErrors.badRequest);
  const sent = isJsonObject(value) ? value['apiVersion'] : undefined;
  return typeof sent === 'string' && alsoAccepts.includes(sent) ? sent : own;
}

function decodeAs(declared: CreatedSubresource, apiVersion: string, value: JsonValue): KubeObject {
  const decoded = decoderOf(declared)(value);
  if ('error' in decoded) throw apiErrors.badRequest(decoded.error);
  return { ...decoded.object, apiVersion, kind: declared.kind.kind } as unknown as KubeObject;
}

function checkNamespace({ namespace, resource }: RequestScope, { metadata }: KubeObject): void {
  if (!resource.definition.namespaced) return;
  if (!metadata.namespace) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace)
    throw apiErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
}
