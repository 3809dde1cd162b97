// A lens as its author writes it: kind Lens of instar.dev/v1alpha1, in YAML or as a TypeScript value of these
// types. The types only; parse/ compiles it and reports errors.
import type { JsonValue } from '@instar/machinery';

/** `apiVersion` of lens documents. */
export const LENS_API_VERSION = 'instar.dev/v1alpha1';

/** `kind` of lens documents. */
export const LENS_KIND = 'Lens';

/** A lens as it is written in YAML or JSON. */
export interface LensDocument {
  apiVersion: typeof LENS_API_VERSION;
  kind: typeof LENS_KIND;
  metadata: { name: string; [field: string]: unknown };
  spec: LensSpec;
  /** Conditions, if the API server stores the document. Not read here. */
  status?: unknown;
}

/** `spec` of a lens document. */
export interface LensSpec {
  /** The definition whose objects are converted: `<plural>.<group>`. */
  crd: string;
  /** Each joins two versions and is read in both directions. */
  lenses: LensStep[];
}

/** The operations that lead from one version to another, and back. */
export interface LensStep {
  from: string;
  to: string;
  /** None: the two versions differ in their name only. */
  ops?: LensOp[];
}

/**
 * A field of the object: `spec.tls.host`. `[*]` stands for every item of a list and `{*}` for every value of
 * a map: `spec.items[*].name`; a name with dots or brackets is quoted: `spec['a.b']`. Within `each`,
 * `perValue` and after wildcards `.` is the item itself.
 */
export type LensPath = string;

/** One operation: exactly one of these keys, and an optional note. */
export type LensOp = OneOf<LensOps> & { note?: string };

type OneOf<T> = { [K in keyof T]: Pick<T, K> & Partial<Record<Exclude<keyof T, K>, never>> }[keyof T];

interface LensOps {
  /** Within the same parent. */
  rename: FromTo;
  /** To anywhere. */
  move: FromTo;
  /** One level up. */
  hoist: { from: LensPath; as?: string };
  /** Into an object, which is created if necessary. */
  plunge: { from: LensPath; into: LensPath; as?: string };
  /** Only the new version has it. The default is for objects of the old one. */
  add: { path: LensPath; default?: JsonValue };
  /**
   * Only the old version has it. The default is for objects created in the new one; `belongsTo`: discarded
   * when these fields change.
   */
  remove: { path: LensPath; default?: JsonValue; belongsTo?: LensPath[] };
  /**
   * Both versions have it, and one requires it: `value` where it is missing on the way to the new version,
   * `back` on the way to the old one.
   */
  default: { path: LensPath; value?: JsonValue; back?: JsonValue };
  /** A value becomes a list of it; in reverse its head is taken and the rest stashed. */
  wrap: FromTo;
  /** A list becomes its head; the inverse of wrap. */
  head: FromTo;
  /** A value becomes an object that holds it in one field. */
  box: { from: LensPath; to?: LensPath; as: string };
  /** An object becomes the value of one of its fields; the inverse of box. */
  unbox: { from: LensPath; to?: LensPath; field: string };
  /**
   * A string becomes several. With more separators than needed, it is split `at` the first ones or the last
   * ones. Parts that are missing are left out, unless `missing` is error: then the string is refused.
   */
  split: {
    from: LensPath;
    separator: string;
    to: LensPath[];
    at?: 'first' | 'last';
    missing?: 'leave' | 'error';
  };
  /** Several strings become one; the inverse of split. */
  join: {
    from: LensPath[];
    separator: string;
    to: LensPath;
    at?: 'first' | 'last';
    missing?: 'leave' | 'error';
  };
  map: MapValues;
  cast: Cast;
  /**
   * A list of objects becomes a map by one of their fields. Of `duplicates` the first is taken and the others
   * stashed, if the author says so.
   */
  keyBy: { from: LensPath; to?: LensPath; key: string; duplicates?: 'error' | 'first' };
  /** A map of objects becomes a list; the inverse of keyBy. */
  entries: { from: LensPath; to?: LensPath; key: string; duplicates?: 'error' | 'first' };
  each: { path: LensPath; keys?: string[]; rightKeys?: string[]; ops: LensOp[] };
  perValue: { path: LensPath; ops: LensOp[] };
  /** The new version has the value twice. In reverse it is taken from `from`. */
  copy: FromTo;
  /**
   * A constant in the new version; the old value is stashed. `back` is its value in the old version for
   * objects created in the new one.
   */
  set: { path: LensPath; value: JsonValue; back?: JsonValue };
  /** Fields of an object are moved to several others. */
  splitObject: { from: LensPath; to: Record<LensPath, string[]> };
  /** Fields of several objects are moved into one. */
  mergeObjects: { from: Record<LensPath, string[]>; to: LensPath };
  when: When;
  cel: Cel;
}

interface FromTo {
  from: LensPath;
  to: LensPath;
}

export interface MapValues {
  path: LensPath;
  /**
   * Pairs, since keys of YAML are strings: `{ from: true, to: Enabled }`. With several for one value, the
   * first counts.
   */
  values: { from: JsonValue; to: JsonValue }[];
  /** What happens to values that are not listed, in each direction. By default they are refused. */
  unknown?: UnknownRule | { forward?: UnknownRule; backward?: UnknownRule };
}

/** `{ value: x }`: replaced by x, and the value itself is stashed. */
export type UnknownRule = 'keep' | 'error' | { value: JsonValue };

export type ScalarType = 'string' | 'integer' | 'number' | 'boolean';

interface Cast {
  path: LensPath;
  from: ScalarType;
  to: ScalarType;
  /**
   * The replacement for a value that cannot be cast, which is stashed; in each direction. By default such
   * values are refused.
   */
  otherwise?: { forward?: JsonValue; backward?: JsonValue };
}

interface WhenCondition {
  path: LensPath;
  equals?: JsonValue;
  in?: JsonValue[];
  exists?: boolean;
}

interface When {
  /** Evaluated on objects of the old version. */
  left: WhenCondition;
  /** Evaluated on objects of the new one; by default the same condition. */
  right?: WhenCondition;
  ops: LensOp[];
  otherwise?: LensOp[];
}

interface Cel {
  from: LensPath | LensPath[];
  /** By default the same as `from`. */
  to?: LensPath | LensPath[];
  /**
   * `self` is the value of `from`; with several paths a list, with null for missing values. Likewise the
   * result for `to`.
   */
  forward: string;
  /** `self` is the value of `to`. */
  backward: string;
  maxCost?: number;
}
