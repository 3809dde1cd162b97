// ?instar.dev/showStoredVersion=true: objects get the annotation instar.dev/stored-version, which says in
// which version each is stored. Works with every representation. The annotation is never stored.
import { encodeJson, isJsonObject } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import { inSlices } from '../../objects/time-slice.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import type { RequestScope } from './request-scope.ts';

const SHOW_STORED_VERSION = 'instar.dev/showStoredVersion';
const STORED_VERSION = 'instar.dev/stored-version';

export function showsStoredVersion({ request, resource }: RequestScope): boolean {
  if (resource.definition.typed || !request.rawQuery.includes('showStoredVersion')) return false;
  return request.query.get(SHOW_STORED_VERSION) === 'true';
}

/** Skipped objects stay without a form. */
export async function allAnnotated(
  forms: readonly Uint8Array[],
  objects: readonly CachedObject[],
): Promise<Uint8Array[]> {
  const out = [...forms];
  await inSlices([...forms.keys()], (index) => {
    if (forms[index] !== undefined) out[index] = annotated(forms[index], objects[index]!);
  });
  return out;
}

/** A copy of `form`, which is shared, with the annotation. */
export function annotated(form: Uint8Array, { storedApiVersion }: CachedObject): Uint8Array {
  const object = parseOwnBytes(form);
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const version = storedApiVersion.slice(storedApiVersion.indexOf('/') + 1);
  metadata['annotations'] = { ...annotations, [STORED_VERSION]: version };
  return Buffer.from(encodeJson({ ...object, metadata }));
}
