// An object on its way to a converter: what the converter must know of it, and its JSON, which whoever holds
// the bytes need not parse for this.
import { encodeJson, type KubeObject, type ObjectMeta } from '@instar/machinery';

export interface ConversionSource {
  readonly apiVersion: string;
  readonly kind: string;
  /** Shared: not to be changed. What a converter may not touch is restored from it. */
  readonly metadata: ObjectMeta;
  /** The whole object without its resourceVersion, which upstream never shows to webhooks. */
  json(): string | CutJson;
}

/**
 * The objects of one conversion, each asked for when its turn comes: by then those before it may be done
 * with, and garbage. An array is one.
 */
export interface ConversionSources {
  readonly length: number;
  at(index: number): ConversionSource | undefined;
}

/** JSON in two parts: all up to the opening brace of metadata and with it, and the rest. */
export interface CutJson {
  readonly head: Uint8Array;
  readonly rest: Uint8Array;
  /** How much of the rest belongs to metadata, with its closing brace. */
  readonly metadataLength: number;
}

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
