// The forms of many objects in one version, each with its own outcome: an object that cannot be converted
// keeps no other from it.
import type { CachedObject } from './cached-object.ts';
import type { VersionDefinition } from './definition.ts';
import type { Resource } from './resource.ts';
import { inSlices } from './time-slice.ts';

/** `refuse` is told of each object that has no form, and why. */
export async function formsOrReasons(
  resource: Resource,
  objects: readonly CachedObject[],
  version: VersionDefinition,
  refuse: (object: CachedObject, why: string) => void,
): Promise<Map<CachedObject, Uint8Array>> {
  const forms = new Map<CachedObject, Uint8Array>();
  const waiting: CachedObject[] = [];
  await inSlices(objects, (object) => {
    try {
      const form = resource.formNow(object, version);
      if (form === undefined) waiting.push(object);
      else forms.set(object, form);
    } catch (error) {
      refuse(object, error instanceof Error ? error.message : String(error));
    }
  });
  if (waiting.length === 0) return forms;
  const converted = await resource.forms(waiting, version, {
    skip: (object, { message }) => refuse(object, message),
  });
  for (const [index, object] of waiting.entries())
    if (converted[index] !== undefined) forms.set(object, converted[index]);
  return forms;
}
