// What is proved: a conversion, whether a lens, functions or a webhook, and its versions.
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';

/** A conversion of several objects succeeds or fails as a whole, as a ConversionReview does. */
export type ConversionResult = { readonly objects: readonly JsonValue[] } | { readonly failure: string };

/** The conversion that is checked. */
export type ConvertFunction = (
  objects: readonly KubeObject[],
  desiredApiVersion: string,
) => Promise<ConversionResult> | ConversionResult;

/** A version of the definition whose conversion is checked. */
export interface ProofVersion {
  /** As in v1beta1. */
  readonly name: string;
  /** As in example.com/v1beta1. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: CompiledSchema;
  readonly namespaced: boolean;
}

/** The object as a server stores it in this version: pruned and defaulted. */
export function settled(object: JsonObject, { schema }: ProofVersion): JsonObject {
  schema.prune(object);
  schema.applyDefaults(object);
  return object;
}
