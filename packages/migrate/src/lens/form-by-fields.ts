// Which form an object has, judged by its fields alone, and the object in the other form. The guidelines ask
// for conversions that need not know the stored version. A lens ignores fields that are not of the version it
// converts from. So an object has a form if the lens, converting from it, finds something to change. If that
// holds for both forms, the form is ambiguous, and the object is left alone.
import { asJson, deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';

/** What is needed of a lens: conversion between two versions of a definition, in both directions. */
export interface FieldLens {
  readonly group: string;
  /** Throws if it cannot. Never changes its argument. */
  convert(object: KubeObject, to: string): KubeObject;
}

export type ByFields =
  | { readonly kind: 'converted'; readonly object: KubeObject }
  /** It has the wanted form already, or nothing that differs between the two. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unclear'; readonly reason: string };

export function convertByFields(lens: FieldLens, object: KubeObject, from: string, to: string): ByFields {
  const forward = tryForm(lens, object, from, to);
  const backward = tryForm(lens, object, to, from);
  const hasWantedForm = 'changed' in backward && backward.changed;
  if ('fault' in forward)
    return hasWantedForm
      ? { kind: 'unchanged' }
      : { kind: 'unclear', reason: `it has neither the form of ${from} nor that of ${to}: ${forward.fault}` };
  if (!forward.changed) return { kind: 'unchanged' };
  if (hasWantedForm)
    return {
      kind: 'unclear',
      reason: `it has fields of ${from} and of ${to}, so that its version is ambiguous`,
    };
  return { kind: 'converted', object: forward.object };
}

type FormAttempt = { readonly object: KubeObject; readonly changed: boolean } | { readonly fault: string };

/** Converts an object by the lens as if it had `form`. */
function tryForm(lens: FieldLens, object: KubeObject, form: string, other: string): FormAttempt {
  try {
    const converted = lens.convert(labeled(lens, object, form), other);
    return { object: converted, changed: !sameContent(converted, object) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

const labeled = ({ group }: FieldLens, object: KubeObject, version: string): KubeObject => ({
  ...object,
  apiVersion: `${group}/${version}`,
});

const STASH = 'lens.instar.dev/stash';

/** Equal apart from apiVersion and the lens's stash. */
function sameContent(a: KubeObject, b: KubeObject): boolean {
  return deepEqual(contentOf(a), contentOf(b));
}

function contentOf(object: KubeObject): JsonObject {
  const { [STASH]: _, ...annotations } = object.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = object.metadata;
  const kept = Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata;
  return asJson({ ...object, apiVersion: '', metadata: kept });
}
