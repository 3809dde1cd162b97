// Objects reduced to their metadata (PartialObjectMetadata), for garbage collectors, metadata informers and
// rows of Tables.
import type { JsonObject } from '@instar/machinery';
import { metadataOf } from './columns.ts';

/** The version of meta.k8s.io that the client requested. */
export type RepresentationVersion = 'v1' | 'v1beta1';

export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

/** The metadata is shared with the object, not copied. */
export function partialObjectMetadata(object: JsonObject, version: RepresentationVersion): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOf(object),
  };
}

export function partialObjectMetadataList(
  objects: readonly JsonObject[],
  metadata: ListMetadata,
  version: RepresentationVersion,
): JsonObject {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(metadata),
    items: objects.map((object) => partialObjectMetadata(object, version)),
  };
}

/** metav1.ListMeta on the wire: empty fields are omitted. */
export function listMetadata({
  resourceVersion,
  continue: next,
  remainingItemCount,
}: ListMetadata): JsonObject {
  const metadata: JsonObject = {};
  if (resourceVersion !== '') metadata['resourceVersion'] = resourceVersion;
  if (next !== undefined && next !== '') metadata['continue'] = next;
  if (remainingItemCount !== undefined) metadata['remainingItemCount'] = remainingItemCount;
  return metadata;
}
