// The public face of a compiled structural schema. Everything else in this package is behind it.
import type { FieldError, FieldPath, JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { StructuralNode } from './structural/node.ts';

export interface ValidateOptions {
  /** The object that is being replaced: enables transition rules, and ratcheting unless `ratchet` is false. */
  readonly old?: JsonValue;
  readonly ratchet?: boolean;
  readonly path?: FieldPath;
  /** Monotonic deadline in milliseconds (as Date.now()) after which evaluation of rules is given up. */
  readonly deadline?: number;
}

/** Compiled once per version of a resource, then used for every object. Immutable and without I/O. */
export interface CompiledSchema {
  /** The schema as its author wrote it. */
  readonly source: JSONSchemaProps;
  /** The structure that pruning, ownership and patches walk along. */
  readonly root: StructuralNode;
  /** Removes from `object` (in place) what the schema does not know; returns the paths removed, in upstream's form (spec.a[0].b), sorted. */
  prune(object: JsonObject): string[];
  /** Fills in defaults in place; true if anything changed. */
  applyDefaults(object: JsonObject): boolean;
  /** Values, list types and rules, in upstream's order and wording. */
  validate(object: JsonObject, options?: ValidateOptions): FieldError[];
}
