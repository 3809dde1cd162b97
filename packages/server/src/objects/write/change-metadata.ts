// Changes that the server itself makes to the metadata of an object: it removes deleted owners and finished
// finalizers. The object stays in the version in which it is stored, so that no webhook is called and none
// can prevent the change.
import { apiErrors, asJson, deepEqual, type ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import { currentOf, deleteKey, putAsStored, readCurrent } from './commit.ts';
import { hasFinalizers } from './update.ts';
import type { WriteRequest } from './write-request.ts';

const MAX_RACES = 100;

/** `change` gets a copy. Nothing is written if it leaves it unchanged. */
export async function changeMetadata(
  write: WriteRequest,
  change: (metadata: ObjectMeta) => void,
): Promise<void> {
  const { resource } = write;
  const key = resource.key(write.namespace, write.name);
  let current = await readCurrent(resource, key);
  for (let race = 0; race < MAX_RACES; race++) {
    if (current === undefined) throw resource.notFound(write.name);
    const outcome = await changeOnce(write, current, change);
    if (outcome === 'done') return;
    current = outcome.lost;
  }
  throw apiErrors.conflict(resource.groupResource, write.name, 'the object is changing too fast');
}

async function changeOnce(
  write: WriteRequest,
  current: CachedObject,
  change: (metadata: ObjectMeta) => void,
): Promise<'done' | { lost: CachedObject | undefined }> {
  const object = current.parse();
  const before = current.parse();
  change(object.metadata);
  if (deepEqual(asJson(before), asJson(object))) return 'done';
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  const isFinished =
    deletionTimestamp != null && deletionGracePeriodSeconds === 0 && !hasFinalizers(write.resource, object);
  const result = isFinished
    ? await deleteKey(write.resource, current)
    : await putAsStored(write, current.key, object, current);
  return result.committed ? 'done' : { lost: currentOf(result.current[0]) };
}
