// No object keeps more than ten owners by update: the oldest are merged, version by version, into one named
// ancient-changes.

import { compareUtf8 } from '@instar/go';
import { union } from '../fieldset/operations.ts';
import { compareTimes, identityOf, newOwner, type Owner, type Owners, upstreamIdentityOf } from './entry.ts';

const MAX_UPDATERS = 10;
const OLD_CHANGES = 'ancient-changes';

export function capUpdaters(owners: Owners): void {
  if (owners.size <= MAX_UPDATERS) return;
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update').sort(oldestFirst);
  const firstOfVersion = new Map<string, string>();
  let left = updaters.length;
  for (const [id, owner] of updaters) {
    if (left <= MAX_UPDATERS) return;
    const first = firstOfVersion.get(owner.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(owner.apiVersion, id);
      continue;
    }
    mergeIntoBucket(owners, id, owner, first);
    left--;
  }
}

function mergeIntoBucket(owners: Owners, id: string, owner: Owner, first: string): void {
  const bucketOwner = {
    manager: OLD_CHANGES,
    operation: 'Update' as const,
    apiVersion: owner.apiVersion,
    subresource: undefined,
  };
  const bucket = identityOf(bucketOwner);
  const present = owners.get(bucket) ?? owners.get(first)!;
  if (!owners.has(bucket)) owners.delete(first);
  owners.delete(id);
  // The later of the two times: that of the owner added now.
  owners.set(bucket, newOwner(bucketOwner, owner.time, union(owner.set, present.set)));
}

function oldestFirst([, a]: [string, Owner], [, b]: [string, Owner]): number {
  return compareTimes(a.time, b.time) || compareUtf8(upstreamIdentityOf(a), upstreamIdentityOf(b));
}
