// What is proved: something that converts objects between versions, be it a lens, functions or a webhook, and
// the versions themselves.
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';

/** A conversion of several objects at once succeeds or fails as a whole, as a ConversionReview does. */
export type ConversionResult = { readonly objects: readonly JsonValue[] } | { readonly failure: string };

export type ConvertFunction = (
  objects: readonly KubeObject[],
  desiredApiVersion: string,
) => Promise<ConversionResult> | ConversionResult;

export interface ProofVersion {
  /** As in v1beta1. */
  readonly name: string;
  /** As in example.com/v1beta1. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: CompiledSchema;
  readonly namespaced: boolean;
}

/**
 * What a server makes of an object in this version: what the schema does not know is dropped, defaults are
 * filled in.
 */
export function settled(object: JsonObject, { schema }: ProofVersion): JsonObject {
  schema.prune(object);
  schema.applyDefaults(object);
  return object;
}
