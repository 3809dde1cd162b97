// How the objects of one kind are converted: its versions, and functions, a lens, or both between them.
import type { JsonObject, KubeObject, SparseReader, Splicer } from '@instar/machinery';

/**
 * Returns the object in the other version. The kit sets apiVersion and kind if the function leaves them
 * unchanged.
 */
export type ConvertFunction<From = JsonObject, To = JsonObject> = (
  object: From,
  context: ConvertContext,
) => To | Promise<To>;

/** What a conversion function can use besides its object. */
export interface ConvertContext {
  /** Versions, not apiVersions: `v1`. */
  readonly from: string;
  readonly to: string;
  /** Aborted when the caller has stopped waiting for the answer. */
  readonly signal: AbortSignal;
}

type Names<V> = Extract<keyof V, string>;

/** Between versions that are known by name. */
type TypedFunctions<V, Arrow extends string> = {
  readonly [K in Names<V> as `${K}${Arrow}${Exclude<Names<V>, K>}`]?: never;
} extends infer Steps
  ? { readonly [S in keyof Steps]?: Between<V, S, Arrow> }
  : never;
type Between<
  V,
  S,
  Arrow extends string,
> = S extends `${infer From extends Names<V>}${Arrow}${infer To extends Names<V>}`
  ? ConvertFunction<V[From], V[To]>
  : never;

/** `{ 'v1→v2': fn }`, or `'v1->v2'`. */
export type ConvertFunctions<V> = string extends keyof V
  ? { readonly [step: string]: ConvertFunction }
  : TypedFunctions<V, '→'> & TypedFunctions<V, '->'>;

/** What the kit needs of a LensSet of @instar/lens. */
export interface LensConverter {
  /** `<plural>.<group>`. */
  readonly crd: string;
  readonly group: string;
  readonly versions: readonly string[];
  canConvert(from: string, to: string): boolean;
  /** `to` is one of `versions`. Throws errors whose messages users may read. */
  convert(object: KubeObject, to: string): KubeObject;
  /** The same for objects as bytes. Both versions are of `versions`. */
  ofBytes?(from: string, to: string): BytesConverter | undefined;
}

/** What the kit needs of a BytesConversion of @instar/lens. */
export interface BytesConverter {
  /**
   * Converts objects of a list as `convert` would, without changing kind or metadata: from the reader's
   * position, as long as they are of this kind, need not be parsed and begin before `end`. Returns how many;
   * the reader is then after the last of them.
   */
  convertSome(reader: SparseReader, out: Splicer, kind: string, end: number): number;
}

/** How the versions of a resource are converted: by functions or by a lens. */
export interface ConversionDefinition<V = Record<string, JsonObject>> {
  /** Default: that of the lens. */
  readonly group?: string;
  /**
   * Required without a lens. Default: the kind whose plural the lens names, or every kind of the group if it
   * has only one lens.
   */
  readonly kind?: string;
  /** All versions between which objects must be convertible. Default: those that functions and lens name. */
  readonly versions?: readonly Names<V>[];
  readonly convert?: ConvertFunctions<V>;
  readonly lens?: LensConverter;
}
