// The interface of a compiled structural schema.
import type {
  FieldError,
  FieldPath,
  JsonObject,
  JsonShape,
  JsonValue,
  WholeFloatAt,
} from '@instar/machinery';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Normalization } from './shape/node-shape.ts';
import type { StructuralNode } from './tree/node.ts';

export interface ValidateOptions {
  /**
   * The object that is being replaced: enables transition rules, and ratcheting unless `ratchet` is false.
   */
  readonly old?: JsonValue;
  readonly ratchet?: boolean;
  readonly path?: FieldPath;
  /** In what the client sent: values that are still there count as floats. */
  readonly wholeFloats?: readonly WholeFloatAt[] | undefined;
  /** Deadline in milliseconds (as Date.now()) after which evaluation of rules is aborted. */
  readonly deadline?: number;
  /**
   * An update of the status subresource: only values in .status are validated, but list types and rules
   * everywhere.
   */
  readonly statusOnly?: boolean;
  /**
   * Errors that the caller has found in the same object (metadata, scale): they may block rules. Not part of
   * the result.
   */
  readonly earlierErrors?: readonly FieldError[];
  /**
   * Called for rules that an unchanged value breaks: ratcheting turns such errors into warnings of the
   * answer.
   */
  readonly warn?: (text: string) => void;
}

export interface PruneOptions {
  /** Drops embedded metadata that does not decode, rather than leaving it: for objects from the store. */
  readonly dropMalformed?: boolean;
  /** Leaves nulls that mean "not set": for what is applied, where validation refuses them. */
  readonly keepsNulls?: boolean;
  /** Called if anything was removed, including nulls, which the paths omit. */
  readonly onChange?: () => void;
}

/** A value that does not have the type of its schema. */
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
  /** The structure that pruning, ownership and patches walk. */
  readonly root: StructuralNode;
  /**
   * Removes from `object` (in place) unspecified fields, unknown embedded metadata, and nulls that mean "not
   * set"; returns the paths removed, in upstream's form (spec.a[0].b), sorted.
   */
  prune(object: JsonObject, options?: PruneOptions): string[];
  /**
   * Why an embedded resource does not decode: upstream refuses such a request with 400, before it validates
   * anything.
   */
  embeddedFault(object: JsonObject): FieldError | undefined;
  /** Fills in defaults in place; true if anything changed. */
  applyDefaults(object: JsonObject): boolean;
  /**
   * For skimming bytes: an object of this shape is already pruned, or pruned and defaulted. Undefined if that
   * can only be decided by parsing.
   */
  shape(normalization: Normalization): JsonShape | undefined;
  /** Values, list types and rules, in upstream's order and wording. */
  validate(object: JsonObject, options?: ValidateOptions): FieldError[];
  /**
   * The first value whose type is not that of the schema, for kinds that upstream decodes into Go types. Null
   * is valid for every type.
   */
  firstTypeMismatch(object: JsonObject): TypeMismatch | undefined;
}
