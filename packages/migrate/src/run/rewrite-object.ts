// Rewrites one object unchanged, through the ordinary API: a merge patch with nothing but the
// resourceVersion, as the in-tree migrator sends it. The server stores it in the storage version. A conflict
// means that a concurrent write did.
import { apiErrorOf, ConnectionError, type KubeApi, resourcePath } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import {
  ApiError,
  asJson,
  deepEqual,
  type KubeObject,
  type ObjectMeta,
  PATCH_MEDIA_TYPES,
} from '@instar/machinery';
import { hasVersion, MANAGER, objectRef, storageVersionOf } from '../definition/definition.ts';
import { repairManagedFields } from '../managed-fields/repair.ts';
import { STORED_VERSION } from '../stored/metadata-pages.ts';
import type { MigrationOutcome } from './outcome.ts';

export interface RewriteContext {
  readonly api: KubeApi;
  readonly crd: CustomResourceDefinition;
  /** The version through which objects are written: the storage version if it is served. */
  readonly version: string;
  readonly dryRun: boolean;
  /** Versions whose managedFields are to be repaired, besides those that the definition does not have. */
  readonly retiring?: string;
  readonly sharesFieldNames: boolean;
  readonly signal: AbortSignal;
}

export async function rewriteObject(
  context: RewriteContext,
  metadata: ObjectMeta,
): Promise<MigrationOutcome> {
  const { crd, retiring, sharesFieldNames } = context;
  const stored = metadata.annotations?.[STORED_VERSION];
  const isDead = (version: string): boolean => version === retiring || !hasVersion(crd, version);
  const repair = repairManagedFields(crd, metadata.managedFields ?? [], { sharesFieldNames, isDead });
  if (stored === storageVersionOf(crd) && repair === undefined) return { kind: 'current' };
  const from = stored === undefined ? {} : { from: stored };
  // An empty list would mean "unchanged"; a list of one empty entry clears it.
  const managedFields = repair && (repair.managedFields.length > 0 ? repair.managedFields : [{}]);
  const patch = {
    metadata: { resourceVersion: metadata.resourceVersion, ...(managedFields && { managedFields }) },
  };
  try {
    const changes = await write(context, metadata, patch);
    const repaired = repair && [
      ...repair.moved.map((entry) => `${entry} moved`),
      ...repair.dropped.map((entry) => `${entry} dropped`),
    ];
    return { kind: 'rewritten', ...from, ...(repaired && { repaired }), ...(changes && { changes }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 409) return { kind: 'overtaken' };
    if (error.code === 404) return { kind: 'gone' };
    if (isTransient(error)) throw error;
    return { kind: 'failed', ...from, reason: error.message };
  }
}

async function write(
  context: RewriteContext,
  metadata: ObjectMeta,
  patch: object,
): Promise<string[] | undefined> {
  const { api, crd, version, dryRun, signal } = context;
  const ref = objectRef(crd, version, metadata.namespace, metadata.name!);
  if (!dryRun) {
    await patchUnread(api, resourcePath(ref), patch, signal);
    return undefined;
  }
  const before = await api.get(ref, { signal });
  return differences(
    before,
    await api.patch(ref, patch, { type: 'merge', fieldManager: MANAGER, signal, dryRun: true }),
  );
}

const HEADERS = {
  'content-type': PATCH_MEDIA_TYPES.merge,
  // The answer is not read: the smaller, the better.
  accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
};

async function patchUnread(api: KubeApi, path: string, patch: object, signal: AbortSignal): Promise<void> {
  const request = {
    method: 'PATCH',
    path,
    query: { fieldManager: MANAGER },
    headers: HEADERS,
    body: JSON.stringify(patch),
    signal,
  };
  const { status, body } = await api.request(request);
  if (status >= 300) throw apiErrorOf(status, body, `PATCH ${path}`);
}

/** The parts that an empty write would change: the effects of webhooks, defaulting and pruning. */
function differences(before: KubeObject, after: KubeObject): string[] {
  const [a, b] = [asJson(before), asJson(after)];
  const names = new Set([...Object.keys(a), ...Object.keys(b)].filter((name) => name !== 'metadata'));
  const changed = [...names].filter((name) => !deepEqual(a[name] ?? null, b[name] ?? null));
  const labels = (['labels', 'annotations', 'finalizers', 'ownerReferences'] as const).filter(
    (name) =>
      !deepEqual(
        asJson(before.metadata as unknown as KubeObject)[name] ?? null,
        asJson(after.metadata as unknown as KubeObject)[name] ?? null,
      ),
  );
  return [...changed, ...labels.map((name) => `metadata.${name}`)];
}

/** True if a retry may succeed: the server is unreachable or overloaded. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError)
    return error.fault === 'connect' || error.fault === 'closed' || error.fault === 'timeout';
  return error instanceof ApiError && (error.code === 429 || error.code === 503 || error.code === 504);
}
