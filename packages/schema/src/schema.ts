// The public face of a compiled structural schema. Everything else in this package is behind it.
import type { FieldError, FieldPath, JsonObject, JsonShape, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Upkeep } from './shape/node-shape.ts';
import type { StructuralNode } from './tree/node.ts';

export interface ValidateOptions {
  /**
   * The object that is being replaced: enables transition rules, and ratcheting unless `ratchet` is false.
   */
  readonly old?: JsonValue;
  readonly ratchet?: boolean;
  readonly path?: FieldPath;
  /** Monotonic deadline in milliseconds (as Date.now()) after which evaluation of rules is given up. */
  readonly deadline?: number;
  /**
   * An update of the status subresource: of values only those in .status are validated; list types and rules
   * are, everywhere.
   */
  readonly statusOnly?: boolean;
  /**
   * What the caller found wrong with the same object already (metadata, scale): it may hold rules back. Not
   * part of the answer.
   */
  readonly earlierErrors?: readonly FieldError[];
  /**
   * Told about rules that an unchanged value breaks: such errors are forgiven, and become warnings of the
   * answer.
   */
  readonly warn?: (text: string) => void;
}

export interface PruneOptions {
  /**
   * Drops embedded metadata that does not decode, rather than leaving it: for objects that come from storage.
   */
  readonly dropMalformed?: boolean;
  /** Leaves nulls that mean "not set": for what is applied, where validation refuses them. */
  readonly keepsNulls?: boolean;
  /** Told if anything went, nulls too, of which the paths say nothing. */
  readonly onChange?: () => void;
}

/** A value that does not have the type that its place asks for. */
export interface TypeMismatch {
  /** As in spec.a[0].b. */
  readonly path: string;
  readonly expected: StructuralNode['type'];
  readonly actual: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
}

/** Compiled once per version of a resource, then used for every object. Immutable and without I/O. */
export interface CompiledSchema {
  /** The schema as its author wrote it. */
  readonly source: JSONSchemaProps;
  /** The structure that pruning, ownership and patches walk along. */
  readonly root: StructuralNode;
  /**
   * Removes from `object` (in place) what the schema does not know, unknown embedded metadata, and nulls that
   * mean "not set"; returns the paths removed, in upstream's form (spec.a[0].b), sorted.
   */
  prune(object: JsonObject, options?: PruneOptions): string[];
  /**
   * Why an embedded resource does not decode, if so: upstream refuses such a request with 400, before
   * anything else here.
   */
  embeddedFault(object: JsonObject): FieldError | undefined;
  /** Fills in defaults in place; true if anything changed. */
  applyDefaults(object: JsonObject): boolean;
  /**
   * For reading bytes: what it knows of them is already pruned, or pruned and defaulted. Undefined if only
   * the object itself can tell.
   */
  shape(upkeep: Upkeep): JsonShape | undefined;
  /** Values, list types and rules, in upstream's order and wording. */
  validate(object: JsonObject, options?: ValidateOptions): FieldError[];
  /**
   * The first value whose type is not the schema's, for kinds that upstream decodes into Go types. Null fits
   * everywhere.
   */
  firstTypeMismatch(object: JsonObject): TypeMismatch | undefined;
}
