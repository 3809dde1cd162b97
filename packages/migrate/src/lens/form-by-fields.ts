// Which form an object has, judged by its fields alone, and the object in the other form. The guidelines ask for conversions that need not know
// the stored version: an object has a form if the way to the other one and back gives the same object. Where that is so for both forms, or
// for none, nobody can tell, and the object is left alone unless there is nothing to change.
import { asJson, deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';

/** What is needed of a lens: the conversion between two versions of a definition, in both directions. */
export interface FieldLens {
  readonly group: string;
  /** Throws if it cannot. Never changes what it is given. */
  convert(object: KubeObject, to: string): KubeObject;
}

export type ByFields =
  | { readonly kind: 'converted'; readonly object: KubeObject }
  /** It has the wanted form already, or nothing that differs between the two. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unclear'; readonly reason: string };

export function convertByFields(lens: FieldLens, object: KubeObject, from: string, to: string): ByFields {
  const isOld = keepsForm(lens, object, from, to);
  const isNew = keepsForm(lens, object, to, from);
  if (isNew && !isOld) return { kind: 'unchanged' };
  if (!isOld) return { kind: 'unclear', reason: `it has neither the form of ${from} nor that of ${to}: ${whyNot(lens, object, from, to)}` };
  const converted = lens.convert(labelled(lens, object, from), to);
  if (sameContent(converted, object)) return { kind: 'unchanged' };
  if (isNew) return { kind: 'unclear', reason: `from its fields alone it may have the form of ${from} or that of ${to}` };
  return { kind: 'converted', object: converted };
}

/** There and back again gives the same object. */
function keepsForm(lens: FieldLens, object: KubeObject, form: string, other: string): boolean {
  try {
    const there = lens.convert(labelled(lens, object, form), other);
    return sameContent(lens.convert(there, form), object);
  } catch {
    return false;
  }
}

function whyNot(lens: FieldLens, object: KubeObject, from: string, to: string): string {
  try {
    lens.convert(labelled(lens, object, from), to);
    return 'the lens would lose or change something on the way there and back';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const labelled = ({ group }: FieldLens, object: KubeObject, version: string): KubeObject => ({
  ...object,
  apiVersion: `${group}/${version}`,
});

const STASH = 'lens.instar.dev/stash';

/** The same but for apiVersion, and for what a lens keeps for the way back. */
function sameContent(a: KubeObject, b: KubeObject): boolean {
  return deepEqual(contentOf(a), contentOf(b));
}

function contentOf(object: KubeObject): JsonObject {
  const { [STASH]: _, ...annotations } = object.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = object.metadata;
  const kept = Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata;
  return asJson({ ...object, apiVersion: '', metadata: kept });
}
