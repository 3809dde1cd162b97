// An object to be converted: what the converter must know of it, and its JSON, which need not be parsed for
// this.
import { encodeJson, type KubeObject, type ObjectMeta } from '@instar/machinery';

/** An object to be converted: what identifies it, and its value or bytes. */
export interface ConversionSource {
  readonly apiVersion: string;
  readonly kind: string;
  /** Shared: must not be changed. What a converter must not touch is restored from it. */
  readonly metadata: ObjectMeta;
  /** The whole object without its resourceVersion, which upstream never shows to webhooks. */
  json(): string | CutJson;
}

/**
 * The objects of one conversion, each requested only when it is needed: by then earlier ones may be garbage.
 * An array is one.
 */
export interface ConversionSources {
  readonly length: number;
  at(index: number): ConversionSource | undefined;
}

/** JSON in two parts: up to and including the opening brace of metadata, and the rest. */
export interface CutJson {
  readonly head: Uint8Array;
  readonly rest: Uint8Array;
  /** How much of the rest belongs to metadata, including its closing brace. */
  readonly metadataLength: number;
}

/** The source that an object in memory is. */
export function sourceOf(object: KubeObject): ConversionSource {
  const { apiVersion, kind, metadata } = object;
  return {
    apiVersion,
    kind,
    metadata: metadata ?? {},
    json: () => encodeJson(withoutResourceVersion(object)),
  };
}

function withoutResourceVersion(object: KubeObject): KubeObject {
  if (object.metadata?.resourceVersion === undefined) return object;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
