// What a lens document becomes: conversions between every two of its versions.
import type { KubeObject } from '@instar/machinery';
import type { BytesConversion } from './bytes/bytes-conversion.ts';
import type { Stash } from './stash/annotation.ts';

/** A converted object with its stash beside it. */
export interface WithStash {
  readonly object: KubeObject;
  /** Absent if nothing has to be stashed. */
  readonly stash: Stash | undefined;
}

/** Options of one conversion by a lens. */
export interface ConvertOptions {
  /** The most bytes that the stash may take as an annotation. */
  readonly maxStashBytes?: number;
}

/**
 * Immutable and without I/O; may be shared. Arguments are never changed, and the results share parts with
 * them.
 */
export interface LensSet {
  readonly name: string;
  /** `<plural>.<group>`. */
  readonly crd: string;
  readonly group: string;
  /** Oldest first, as Kubernetes orders versions. */
  readonly versions: readonly string[];
  readonly steps: readonly LensStepReading[];
  canConvert(from: string, to: string): boolean;
  /** The versions on the route, both ends included; undefined if there is none. */
  route(from: string, to: string): readonly string[] | undefined;
  /**
   * The stash is stored in the annotation `lens.instar.dev/stash`. `to` is a version, with or without its
   * group. Throws LensError.
   */
  convert(object: KubeObject, to: string, options?: ConvertOptions): KubeObject;
  /** The stash is passed separately, and metadata is not changed. Throws LensError. */
  convertWithStash(object: KubeObject, stash: Stash | undefined, to: string): WithStash;
  /**
   * Like `convert`, for objects that are bytes, of which it parses no more than it must. Versions without
   * group; undefined if there is no route.
   */
  ofBytes(from: string, to: string): BytesConversion | undefined;
}

/** One lens of the set, for inspection rather than conversion. */
export interface LensStepReading {
  readonly from: string;
  readonly to: string;
  /** As `rename spec.tls → spec.validation`, in the order of the document. */
  readonly ops: readonly string[];
}
