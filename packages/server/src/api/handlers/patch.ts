// PATCH of an object or a subresource: JSON patch, merge patch, strategic merge patch (typed kinds), apply.
import {
  type ApiError,
  apiErrors,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  asJson,
  decodeJsonPatch,
  goJsonType,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  memberOf,
  PATCH_MEDIA_TYPES,
  PatchError,
  type WholeFloatAt,
} from '@instar/machinery';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { mediaRanges } from '../../wire/negotiate.ts';
import { ONE_OBJECT } from './answer.ts';
import { nextByApply } from './apply.ts';
import { type Decoding, decodePatched } from './decode.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { errorWithoutReason, readWriteOptions, type WriteOptions } from './options.ts';
import { contentType, parsePatch } from './parse-body.ts';
import type { RequestScope } from './request-scope.ts';
import { checkName } from './update.ts';
import { answerWritten, requireName, writeRequest } from './write.ts';

/** The object that a client wants, given the live one: called again with newer states after lost races. */
type NextObject = (live: KubeObject | undefined) => Promise<KubeObject>;

export async function patch(scope: RequestScope): Promise<ApiResponse> {
  const { request } = scope;
  const type = patchType(scope);
  requireName(scope);
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'PatchOptions', type === PATCH_MEDIA_TYPES.apply);
  await request.audit?.requestPatch(body, type === PATCH_MEDIA_TYPES.apply);
  const write = writeRequest(scope, options);
  const nextObject = await nextObjectOf(scope, type, body, options, write);
  const updated = await updateObject(write, {
    next: async (live) => {
      const next = await nextObject(live);
      checkName(scope, next);
      return next;
    },
    mayCreate: type === PATCH_MEDIA_TYPES.apply && scope.subresource === '',
    options,
  });
  return answerWritten(scope, updated.created ? 201 : 200, updated, negotiated);
}

/** Unlike other media types, those of patches are compared as they are written. */
export function patchType({ request, resource }: RequestScope): string {
  const header = contentType(request);
  const known: string[] = [
    PATCH_MEDIA_TYPES.json,
    PATCH_MEDIA_TYPES.merge,
    ...(resource.definition.typed ? [PATCH_MEDIA_TYPES.strategic] : []),
    PATCH_MEDIA_TYPES.apply,
  ];
  if (resource.definition.typed && !mediaRanges(header).some((type) => known.includes(type))) {
    throw apiErrors.raw({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
      details: {},
    });
  }
  const end = header.indexOf(';');
  const type = end > 0 ? header.slice(0, end) : header;
  if (known.includes(type)) return type;
  throw apiErrors.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
  );
}

async function nextObjectOf(
  scope: RequestScope,
  type: string,
  body: Uint8Array,
  options: WriteOptions,
  write: WriteRequest,
): Promise<NextObject> {
  const { resource, version, request } = scope;
  const decoding: Decoding = {
    resource,
    version,
    fieldValidation: options.fieldValidation,
    warnings: request.warnings,
    write,
  };
  if (type === PATCH_MEDIA_TYPES.apply) return nextByApply(write, body, options);
  const strict = options.fieldValidation !== 'Ignore';
  const readChange = () =>
    type === PATCH_MEDIA_TYPES.json
      ? jsonPatch(body, strict)
      : type === PATCH_MEDIA_TYPES.merge
        ? mergePatch(body)
        : strategicMergePatch(body, scope);
  // Read when the object was found: a patch of one that does not exist is answered with 404, however broken.
  let change: Change | undefined;
  return async (live) => {
    const before = request.warnings.length;
    change ??= await readChange();
    const { value, strictErrors, wholeFloats } = change(asJson(live!));
    await write.slice?.yieldIfOver();
    const next = await decodePatched(value, strictErrors, decoding, wholeFloats);
    // After a lost race the patch runs again: its warnings are reported once.
    if (before > 0) request.warnings.splice(0, request.warnings.length, ...new Set(request.warnings));
    return recordOwnership(write, live, next);
  };
}

/**
 * Applies a patch to a JSON document; returns the result, and the strict decoding errors of the patch itself.
 */
type Change = (document: JsonValue) => {
  value: JsonValue;
  strictErrors: string[];
  /** In the result. */
  wholeFloats?: readonly WholeFloatAt[] | undefined;
};

const decodingError = (message: string) => apiErrors.badRequest(`error decoding patch: ${message}`);

export async function jsonPatch(body: Uint8Array, strict: boolean): Promise<Change> {
  const { value, duplicates, wholeFloats } = await parsePatch(body, decodingError);
  const decoded = decodeJsonPatch(value, { strict, wholeFloats });
  if ('fault' in decoded)
    throw decoded.code === 413
      ? apiErrors.entityTooLarge(decoded.fault)
      : apiErrors.badRequest(decoded.fault);
  const strictErrors = [...duplicates.map((text) => `json patch ${text}`), ...decoded.strictErrors];
  return (document) => {
    try {
      const patched = applyJsonPatch(document, decoded.operations);
      const floats = floatsOfOperations(patched, decoded.operations, wholeFloats);
      return { value: patched, strictErrors, wholeFloats: floats };
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw rejected();
    }
  };
}

/** Where the values of operations are in the result, unless a later operation has moved them. */
function floatsOfOperations(
  patched: JsonValue,
  operations: readonly { readonly path?: string | undefined }[],
  wholeFloats: readonly WholeFloatAt[] | undefined,
): readonly WholeFloatAt[] | undefined {
  return wholeFloats?.flatMap(({ path: [index, member, ...below], text }) => {
    const pointer = operations[index as number]?.path;
    if (member !== 'value' || pointer === undefined) return [];
    const path: (string | number)[] = [];
    let at: JsonValue | undefined = patched;
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const key: string | number = Array.isArray(at) ? (name === '-' ? at.length - 1 : Number(name)) : name;
      path.push(key);
      at = isJsonObject(at) ? memberOf(at, name) : Array.isArray(at) ? at[key as number] : undefined;
    }
    return [{ path: [...path, ...below], text }];
  });
}

export async function mergePatch(body: Uint8Array): Promise<Change> {
  const { value, duplicates, wholeFloats } = await parsePatch(body, decodingError);
  if (value === null) throw apiErrors.badRequest('Invalid JSON Patch');
  if (!isJsonObject(value))
    throw decodingError(
      `json: cannot unmarshal ${goJsonType(value)} into Go value of type map[string]interface {}`,
    );
  return (document) => ({
    value: applyMergePatch(document as JsonObject, value),
    strictErrors: duplicates,
    wholeFloats,
  });
}

/** What kube-apiserver knows as the client's fault; all other errors reach the client as they are. */
const BAD_STRATEGIC_PATCH = new Set([
  'invalid JSON document',
  'invalid patch format of primitive list',
  'invalid patch format of retainKeys',
  'invalid patch format of setElementOrder list',
]);

function strategicError(message: string): ApiError {
  if (BAD_STRATEGIC_PATCH.has(message)) return apiErrors.badRequest(message);
  return message === 'lists of lists are not supported' ? rejected() : errorWithoutReason(message);
}

/** Upstream's text, which does not say the reason. */
const rejected = (): ApiError =>
  apiErrors.raw({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });

async function strategicMergePatch(body: Uint8Array, { version, resource }: RequestScope): Promise<Change> {
  const { value, duplicates } = await parsePatch(body, apiErrors.badRequest);
  const patch = value ?? {};
  if (!isJsonObject(patch))
    throw apiErrors.badRequest(
      `json: cannot unmarshal ${goJsonType(value)} into Go value of type map[string]interface {}`,
    );
  return (document) => {
    try {
      const merged = applyStrategicMergePatch(document as JsonObject, patch, version.schema.root);
      // The result is read as an object of the resource, whatever the patch says it is.
      const { kind } = resource.definition.names;
      return { value: { ...merged, apiVersion: version.apiVersion, kind }, strictErrors: duplicates };
    } catch (error) {
      throw error instanceof PatchError ? strategicError(error.message) : error;
    }
  };
}
