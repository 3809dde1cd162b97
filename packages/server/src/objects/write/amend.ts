// Changes an object for the server itself, past admission and strategy: only what `change` sets is different.
import { apiErrors, type KubeObject } from '@instar/machinery';
import { readObject } from '../forms/read-forms.ts';
import type { ExpectedObject } from '../subresource.ts';
import { currentOf, putObject, readCurrent } from './commit.ts';
import type { WriteRequest } from './write-request.ts';

const MAX_RACES = 100;

export async function amendObject(
  write: WriteRequest,
  change: (live: KubeObject) => KubeObject,
  expected: ExpectedObject = {},
): Promise<KubeObject> {
  const { resource } = write;
  const key = resource.key(write.namespace, write.name);
  let current = await readCurrent(resource, key);
  for (let race = 0; race < MAX_RACES; race++) {
    if (current === undefined) throw resource.notFound(write.name);
    const live = await readObject(resource.forms, current, write.version);
    checkExpected(write, expected, live, key);
    const next = change(structuredClone(live));
    if (write.dryRun) return next;
    const result = await putObject(write, key, next, current);
    if (result.committed) return readObject(resource.forms, result.cached!, write.version);
    current = currentOf(result.current[0]);
  }
  throw apiErrors.conflict(resource.groupResource, write.name, 'the object is changing too fast');
}

function checkExpected(
  { resource, name }: WriteRequest,
  { uid, resourceVersion }: ExpectedObject,
  { metadata }: KubeObject,
  key: string,
): void {
  const failed = (what: string, asked: string, found: string | undefined) => {
    const why = `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${found}`;
    const text = `StorageError: invalid object, Code: 4, Key: ${resource.shownKey(key)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    return apiErrors.conflict(resource.groupResource, name, text);
  };
  if (uid && uid !== metadata.uid) throw failed('UID', uid, metadata.uid);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion);
}
