// The metadata that only the server sets.

import { randomUUID } from 'node:crypto';
import { apiErrors, deepEqual, type KubeObject, type ObjectMeta } from '@instar/machinery';

/** RFC 3339 in whole seconds, as metav1.Time. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** Memoized: many writes fall into one second. */
let lastSecond = Number.NaN;
let lastText = '';

const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'uid',
  'selfLink',
]);

/** Copies the rest: V8 is slow with objects from which members were deleted. */
export function wipeSystemFields(object: KubeObject): void {
  const names = Object.keys(object.metadata);
  if (!names.some((name) => SYSTEM_FIELDS.has(name))) return;
  const kept = names.filter((name) => !SYSTEM_FIELDS.has(name));
  object.metadata = Object.fromEntries(kept.map((name) => [name, object.metadata[name as keyof ObjectMeta]]));
}

export function fillSystemFields({ metadata }: KubeObject, now: number): void {
  metadata.creationTimestamp = timestamp(now);
  metadata.uid = randomUUID();
}

/** An object without a namespace gets that of the request; a different one is an error. */
export function matchNamespace({ metadata }: KubeObject, namespace: string, namespaced: boolean): void {
  if (!namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw apiErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}

/** Removes duplicate owner references, with a warning to the client. */
export function warnOfDuplicateOwners({ metadata }: KubeObject, warnings: string[]): void {
  const owners = metadata.ownerReferences ?? [];
  const kept = owners.filter(
    (owner, i) => owners.findIndex((other) => deepEqual({ ...other }, { ...owner })) === i,
  );
  if (kept.length === owners.length) return;
  metadata.ownerReferences = kept;
  const uids = [...new Set(owners.filter((owner) => !kept.includes(owner)).map(({ uid }) => uid))];
  warnings.push(`${DUPLICATE_OWNERS} ${uids.join(', ')}`);
}

const DUPLICATE_OWNERS =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:';
