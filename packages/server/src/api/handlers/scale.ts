// The scale subresource: a Scale is read from the paths that the definition names, and written back to them.
import {
  apiErrors,
  asJson,
  encodeGoJson,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  PATCH_MEDIA_TYPES,
} from '@instar/machinery';
import {
  applyManaged,
  conflictError,
  managedFieldsAfterScale,
  managedFieldsOfScale,
  type ReplicasPaths,
  SCALE_TYPE,
  updateManagedFields,
} from '@instar/ownership';
import { partialObjectMetadata } from '../../kinds/table/partial-metadata.ts';
import { notAList } from '../../kinds/table/representation.ts';
import { SCALE_COLUMNS, TYPED_SCALE_COLUMNS } from '../../kinds/table/scale-columns.ts';
import { parseIncludeObject, tableOf } from '../../kinds/table/table.ts';
import { SCALE_API_VERSION, type Scale, scaleFrom, stepsOf, withReplicas } from '../../objects/scale.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import type { Negotiated } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { respondObject } from '../../wire/respond.ts';
import { ONE_OBJECT } from './answer.ts';
import { parseConfiguration } from './apply.ts';
import { decodeBody, decodePatched, reportStrict } from './decode.ts';
import {
  checkTypedScale,
  decodePatchedScale,
  decodeScale,
  notAScale,
  scaleDecoding,
} from './decode-scale.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { readWriteOptions, type WriteOptions } from './options.ts';
import { bodyType, parseBody } from './parse-body.ts';
import { jsonPatch, mergePatch, patchType } from './patch.ts';
import type { RequestScope } from './request-scope.ts';
import { checkName } from './update.ts';
import { writeRequest, writtenForm } from './write.ts';

/** The Scale that a client wants, given the live one. */
type NextScale = (live: Scale, write: WriteRequest) => Scale | Promise<Scale>;

export function scaleOf(scope: RequestScope, form: Uint8Array, negotiated: Negotiated): ApiResponse {
  const paths = scope.version.scaleSubresource!;
  const { scale, hasReplicas } = scaleFrom(parseOwnBytes(form), paths);
  if (!hasReplicas)
    throw apiErrors.internal(`the spec replicas field "${paths.specReplicasPath}" does not exist`);
  return respondScale(scope, scale, negotiated);
}

export async function updateScale(scope: RequestScope): Promise<ApiResponse> {
  const { request } = scope;
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const type = bodyType(request);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const decoding = scaleDecoding(scope, options);
  const scale = (
    decoding === undefined
      ? decodePatchedScale((await parseBody(body, type, notAScale)).value).scale
      : await decodeBody(body, type, decoding)
  ) as Scale;
  request.audit?.requestObject(scale);
  checkName(scope, scale);
  const next: NextScale = (live, write) =>
    updateManagedFields({ ...scaleContext(write), live, next: scale }) as Scale;
  return writeScale(scope, negotiated, options, next, scale.metadata.uid);
}

export async function patchScale(scope: RequestScope): Promise<ApiResponse> {
  const { request } = scope;
  const type = patchType(scope);
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'PatchOptions', type === PATCH_MEDIA_TYPES.apply);
  await request.audit?.requestPatch(body, type === PATCH_MEDIA_TYPES.apply);
  const nextScale = await (type === PATCH_MEDIA_TYPES.apply
    ? applyScale(body, options)
    : changeScale(scope, type, body, options));
  return writeScale(scope, negotiated, options, async (live, write) => {
    const next = await nextScale(live, write);
    checkName(scope, next);
    return next;
  });
}

async function changeScale(
  scope: RequestScope,
  type: string,
  body: Uint8Array,
  options: WriteOptions,
): Promise<NextScale> {
  const decoding = scaleDecoding(scope, options);
  const change =
    type === PATCH_MEDIA_TYPES.json
      ? await jsonPatch(body, options.fieldValidation !== 'Ignore')
      : await mergePatch(body);
  return async (live, write) => {
    const { value, strictErrors } = change(asJson(live));
    const next =
      decoding === undefined
        ? patchedScale(value, strictErrors, scope, options)
        : await decodePatched(value, strictErrors, decoding);
    return updateManagedFields({ ...scaleContext(write), live, next }) as Scale;
  };
}

function patchedScale(
  value: JsonValue,
  strictErrors: readonly string[],
  { request }: RequestScope,
  { fieldValidation }: WriteOptions,
): Scale {
  const { scale, unknown } = decodePatchedScale(value);
  const refused = (why: string) =>
    apiErrors.invalid({ group: '', kind: '' }, '', [fieldErrors.invalid('patch', encodeGoJson(value), why)]);
  reportStrict([...strictErrors, ...unknown], { fieldValidation, warnings: request.warnings }, refused);
  return scale;
}

async function applyScale(body: Uint8Array, { force }: WriteOptions): Promise<NextScale> {
  const { applied } = await parseConfiguration(body);
  return (live, write) => {
    const result = applyManaged({ ...scaleContext(write), kind: 'Scale', live, applied, force });
    if ('conflicts' in result) throw conflictError(result.conflicts);
    return result.object as Scale;
  };
}

/** Ownership within a Scale, which has one version. */
function scaleContext({ manager, now }: WriteRequest) {
  const versions = {
    typeOf: (apiVersion: string) => (apiVersion === SCALE_API_VERSION ? SCALE_TYPE : undefined),
  };
  return { apiVersion: SCALE_API_VERSION, manager, subresource: 'scale', now: timestamp(now), versions };
}

function replicasPaths({ resource }: WriteRequest): ReplicasPaths {
  return new Map(
    resource.definition.versions.map(({ apiVersion, scaleSubresource }) => [
      apiVersion,
      scaleSubresource === undefined ? null : stepsOf(scaleSubresource.specReplicasPath),
    ]),
  );
}

async function writeScale(
  scope: RequestScope,
  negotiated: Negotiated,
  options: WriteOptions,
  next: NextScale,
  uid?: string,
): Promise<ApiResponse> {
  const { version } = scope;
  const paths = version.scaleSubresource!;
  const write = writeRequest(scope, options);
  const owners = replicasPaths(write);
  const updated = await updateObject(write, {
    next: async (live) => {
      const before = scaleFrom(asJson(live!), paths).scale;
      before.metadata.managedFields = managedFieldsOfScale(live!.metadata.managedFields, owners) ?? [];
      const after = await admitted(write, options, before, await next(before, write));
      checkTypedScale(scope, after);
      const object = withReplicas(live!, paths.specReplicasPath, after.spec?.replicas ?? 0);
      if (after.metadata.resourceVersion) object.metadata.resourceVersion = after.metadata.resourceVersion;
      const managedFields = managedFieldsAfterScale(
        live!.metadata.managedFields,
        after.metadata.managedFields,
        version.apiVersion,
        owners,
      );
      if (managedFields === undefined) delete object.metadata.managedFields;
      else object.metadata.managedFields = managedFields;
      return object;
    },
    uid,
    mayCreate: false,
    options,
    shown: (object) => scaleFrom(asJson(object), paths).scale,
  });
  const form = await writtenForm(scope, updated);
  return respondScale(scope, scaleFrom(parseOwnBytes(form), paths).scale, negotiated);
}

/** Mutating admission gets the Scale, not the scaled object. */
async function admitted(
  write: WriteRequest,
  options: WriteOptions,
  before: Scale,
  after: Scale,
): Promise<Scale> {
  const changed = await write.admission.mutate({
    operation: 'UPDATE',
    object: after,
    old: before,
    write,
    options,
    decode: decodeScale,
  });
  return (changed as Scale | undefined) ?? after;
}

function respondScale(scope: RequestScope, scale: Scale, negotiated: Negotiated): ApiResponse {
  switch (negotiated.representation) {
    case 'Object':
      return respondObject(200, scale, negotiated);
    case 'PartialObjectMetadata':
      return respondObject(
        200,
        partialObjectMetadata(asJson(scale), negotiated.representationVersion),
        negotiated,
      );
    case 'PartialObjectMetadataList':
      throw notAList(scope.resource.definition.typed ? '*autoscaling.Scale' : '*v1.Scale');
    case 'Table':
      return respondObject(200, scaleTable(scope, scale, negotiated), negotiated);
  }
}

function scaleTable({ request, resource }: RequestScope, scale: Scale, negotiated: Negotiated): JsonObject {
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  const columns = resource.definition.typed ? TYPED_SCALE_COLUMNS : SCALE_COLUMNS;
  const metadata = { resourceVersion: scale.metadata.resourceVersion! };
  const options = { version: negotiated.representationVersion, includeObject, now: Date.now() };
  return tableOf([asJson(scale)], columns, metadata, options);
}
