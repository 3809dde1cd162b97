// The stash as one annotation, for conversions whose result is stored elsewhere: webhooks and files. A text
// that is not a stash counts as none: damaging it loses its content, but the object can still be read.

import { utf8Length } from '@instar/go';
import {
  encodeJson,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
  parseJson,
} from '@instar/machinery';
import { LensError } from '../lens-error.ts';

/**
 * What a version could not carry, kept so that the conversion back restores it. Opaque; JSON, so that it can
 * be stored.
 */
export type Stash = JsonObject;

/** The annotation that holds the stash. */
export const STASH_ANNOTATION = 'lens.instar.dev/stash';

/** What all annotations of an object may take together, keys and values. */
const MAX_ANNOTATION_BYTES = 256 * 1024;
export const DEFAULT_MAX_STASH_BYTES = 128 * 1024;

/** `e`: the object had an empty map of annotations. */
interface EncodedStash {
  readonly s: Stash;
  readonly e?: true;
}

/** The object without the annotation, and what was in it. */
export function takeStash(object: KubeObject): { object: KubeObject; stash: Stash | undefined } {
  const annotations = object.metadata?.annotations;
  if (annotations === undefined || annotations === null || !Object.hasOwn(annotations, STASH_ANNOTATION))
    return { object, stash: undefined };
  const encoded = decode(annotations[STASH_ANNOTATION]!);
  const { [STASH_ANNOTATION]: _, ...others } = annotations;
  const isEmpty = Object.keys(others).length === 0 && encoded?.e !== true;
  const { annotations: __, ...metadata }: ObjectMeta = object.metadata;
  return {
    object: { ...object, metadata: isEmpty ? metadata : { ...metadata, annotations: others } },
    stash: encoded?.s,
  };
}

function decode(text: string): EncodedStash | undefined {
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) && isJsonObject(value['s'])
      ? { s: value['s'], ...(value['e'] === true && { e: true }) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Throws LensError if it is too large. The object must have no stash yet. */
export function putStash(
  object: KubeObject,
  stash: Stash | undefined,
  maxBytes: number,
  largest: (stash: Stash) => string,
): KubeObject {
  if (stash === undefined) return object;
  const before = object.metadata?.annotations;
  const isEmpty = before !== undefined && before !== null && Object.keys(before).length === 0;
  const text = encodeJson({ s: stash, ...(isEmpty && { e: true }) } satisfies EncodedStash);
  const annotations = { ...before, [STASH_ANNOTATION]: text };
  const bytes = utf8Length(text);
  if (bytes > maxBytes) throw tooLarge(`${bytes} bytes, and at most ${maxBytes} are allowed`, largest(stash));
  if (bytes > MAX_ANNOTATION_BYTES / 2 || before !== undefined) checkTotal(annotations, stash, largest);
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function checkTotal(
  annotations: Readonly<Record<string, string>>,
  stash: Stash,
  largest: (stash: Stash) => string,
): void {
  let total = 0;
  for (const key of Object.keys(annotations)) total += utf8Length(key) + utf8Length(String(annotations[key]));
  if (total > MAX_ANNOTATION_BYTES)
    throw tooLarge(
      `with the other annotations ${total} bytes, and Kubernetes allows ${MAX_ANNOTATION_BYTES}`,
      largest(stash),
    );
}

function tooLarge(how: string, largest: string): LensError {
  return new LensError(
    'stash-size',
    `what this version cannot hold is too large to be kept in the annotation ${STASH_ANNOTATION}: ${how}; most of it is from ${largest}`,
  );
}
