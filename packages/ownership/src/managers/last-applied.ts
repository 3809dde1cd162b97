import { utf8Length } from '@instar/go';
// The transition from kubectl's client-side apply, whose last configuration is kept in an annotation.
// kubectl's server-side apply may take what is in the annotation and unchanged in the object without
// conflict, and the annotation is kept up to date.
import { asJson, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { goJson } from '../fieldset/element.ts';
import { EMPTY_SET, type FieldSet } from '../fieldset/field-set.ts';
import { difference } from '../fieldset/operations.ts';
import { compareObjects } from '../typed/compare.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { validateApplied } from '../typed/validate.ts';

export const KUBECTL = 'kubectl';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_BYTES_OF_ANNOTATIONS = 256 * 1024;

/** The fields of the last client-side applied configuration that have not changed since. */
export function fieldsLastApplied(live: KubeObject, apiVersion: string, type: MergeType): FieldSet {
  const applied = parseObject(annotationOf(live));
  if (
    applied === undefined ||
    applied['apiVersion'] !== apiVersion ||
    validateApplied(applied, type).length > 0
  )
    return EMPTY_SET;
  const { added, modified, removed } = compareObjects(applied, asJson(live), type);
  return difference(difference(difference(toFieldSet(applied, type), modified), added), removed);
}

function annotationOf(object: KubeObject): string {
  const annotations = object.metadata?.annotations;
  return annotations !== undefined && Object.hasOwn(annotations, ANNOTATION)
    ? (annotations[ANNOTATION] ?? '')
    : '';
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `object` with the annotation for what was applied now, if it has the annotation at all. */
export function withLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  if (annotationOf(object) === '') return object;
  const annotations: Record<string, string> = {
    ...object.metadata.annotations,
    [ANNOTATION]: lastAppliedText(applied),
  };
  if (bytesOf(annotations) > MAX_BYTES_OF_ANNOTATIONS) delete annotations[ANNOTATION];
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function lastAppliedText(applied: KubeObject): string {
  if (applied.metadata?.annotations === undefined) return `${goJson(asJson(applied))}\n`;
  const { [ANNOTATION]: _last, ...annotations } = applied.metadata.annotations;
  return `${goJson(asJson({ ...applied, metadata: { ...applied.metadata, annotations } }))}\n`;
}

function bytesOf(annotations: Record<string, string>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += utf8Length(key) + utf8Length(value);
  return bytes;
}
