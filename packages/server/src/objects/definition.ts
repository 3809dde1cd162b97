// What the server knows of one resource. Built-in and custom kinds are both described by this, and served by
// the same code. Built-in definitions ship with the server (kinds/builtin); custom ones are made from
// CustomResourceDefinitions. Nothing here does I/O.
import type { Converter } from '@instar/convert';
import type { StructType } from '@instar/kinds';
import type { FieldError, JsonObject, JsonValue, KubeObject, WholeFloatAt } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';
import type { DeclaredSubresource } from './subresource.ts';

interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A column of `kubectl get`. `priority` above 0 shows with -o wide only. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** The cell of one object (in the column's own version), given the time of the request in milliseconds. */
  cell(object: JsonObject, now: number): JsonValue;
}

export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** Leads to a text or, in typed kinds, to a LabelSelector or (`selectsByMap`) to labels. */
  readonly labelSelectorPath?: string;
  readonly selectsByMap?: boolean;
}

/**
 * One apiVersion in which the resource is served. The versions of a resource may be in several groups (events
 * are).
 */
export interface VersionDefinition {
  readonly group: string;
  readonly version: string;
  /** "v1" or "group/version". */
  readonly apiVersion: string;
  readonly served: boolean;
  readonly deprecated: boolean;
  /** The text of the Warning header for requests in a deprecated version. */
  readonly deprecationWarning?: string;
  readonly schema: CompiledSchema;
  /** Kinds with Go types upstream only: the type, whose parts OpenAPI publishes under their own names. */
  readonly goType?: StructType;
  /**
   * Kinds with Go types upstream only: decodes a parsed body (or the result of a patch) to what is stored and
   * answered. Unknown fields are dropped, empty ones omitted, defaults filled in. Such kinds need neither
   * prune, applyDefaults nor validate of the schema.
   */
  readonly decode?: TypedDecoder;
  /**
   * Kinds with Go types upstream only: the object in which nothing is set, before defaults; shared, do not
   * change. Writes own what they set beyond it.
   */
  blank?(): JsonObject;
  /** If true, only PUT and PATCH of …/status write .status; the main resource leaves it as it was. */
  readonly statusSubresource: boolean;
  readonly scaleSubresource?: ScaleSubresource;
  /** Those besides status, scale and finalize. */
  readonly subresources?: readonly DeclaredSubresource[];
  readonly columns: readonly TableColumn[];
  /** The values that field selectors may ask for, besides metadata.name and metadata.namespace. */
  readonly selectableFields: readonly SelectableField[];
  /** A hint for an unknown field, beyond that it is unknown. */
  unknownFieldHint?(path: string): string | undefined;
  /** The message for a field selector on another field, if it is not the usual one. */
  unsupportedFieldSelector?(field: string): string;
}

type TypedDecoding =
  /** `unknownFields` in upstream's form (spec.a[0].b), in the order of the document. */
  | { readonly object: JsonObject; readonly unknownFields: string[] }
  /** Go's text, without the "… cannot be handled as a …" around it. */
  | { readonly error: string };

export type TypedDecoder = (raw: JsonValue) => TypedDecoding;

export interface SelectableField {
  readonly name: string;
  value(object: JsonObject): string;
}

/** An object of the same resource. */
interface StoredSibling {
  /** Without parsing. */
  mentions(text: Buffer): boolean;
  parse(): KubeObject;
}

/** Who writes, and which part of the object: what a strategy may depend on. */
export interface WriteContext {
  /** The version of the request, in which the object is. */
  readonly version: VersionDefinition;
  /** Empty for the resource itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** In what the client sent, as far as it may still be in the object. Set when the body is decoded. */
  wholeFloats?: readonly WholeFloatAt[] | undefined;
  /** For strategies that say so with `readsSiblings`. */
  readonly resource?: { readonly cache: { values(): Iterable<StoredSibling> } };
  /** Adds the text of a Warning header. */
  readonly warn?: (text: string) => void;
  readonly user: {
    readonly name: string;
    readonly groups: readonly string[];
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

/** Validation that yields where other requests may be answered. */
export type ValidationSteps = Generator<undefined, FieldError[], unknown>;

/**
 * What a kind does beyond its schema, in the order in which the write path calls it. Objects are in the
 * version of the request. Functions may change `object` where the name says prepare, and never `old`.
 */
export interface Strategy {
  /**
   * Fills in and resets what clients must not decide (namespace finalizers, …). A generated name is set
   * already.
   */
  prepareForCreate?(object: KubeObject, context: WriteContext): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): void;
  /**
   * Kinds that need cleanup before they are deleted mark themselves when their deletion is first requested:
   * the phase of a namespace, the finalizer and condition of a definition. The deletionTimestamp is set
   * already.
   */
  markForDeletion?(object: KubeObject, now: string): void;
  /**
   * Kinds whose objects end gracefully (pods): how many seconds a deletion waits, given what the client asks.
   */
  gracePeriod?(object: KubeObject, asked: number | undefined): number;
  /** Reasons why the name is refused; `isPrefix` for generateName. Without it: a DNS-1123 subdomain. */
  validateName?(name: string, isPrefix: boolean): string[];
  validateCreate?(object: KubeObject, context: WriteContext): FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): FieldError[];
  /** In place of both, for objects that take long. `old` is undefined for a create. */
  validateInSteps?(object: KubeObject, old: KubeObject | undefined, context: WriteContext): ValidationSteps;
  /** Texts for Warning headers. */
  warnings?(object: KubeObject, old: KubeObject | undefined, context: WriteContext): string[];
  /** What an object may be depends on the others of its resource (node ports of services). */
  readonly readsSiblings?: boolean;
  /** Seconds until the object expires (events). */
  ttlSeconds?(object: KubeObject): number | undefined;
  /** A PUT of an object that does not exist creates it (leases, events and some others upstream). */
  readonly allowCreateOnUpdate?: boolean;
  /** False: an update must name the resourceVersion it is based on (custom resources upstream). */
  readonly allowUnconditionalUpdate?: boolean;
  /** True: status writes also write metadata, and own it (namespaces, services, definitions upstream). */
  readonly statusMayWriteMetadata?: boolean;
  /**
   * A delete that does not say what happens to the dependents orphans them (kinds that are older than the
   * garbage collector), with a warning if there is a text for one.
   */
  readonly orphansDependents?: { readonly warning?: string };
  /** Throws if the object may not be deleted by anybody. */
  checkDelete?(object: KubeObject): void;
  /** A delete answers with the deleted object rather than with a Status. */
  readonly returnDeletedObject?: boolean;
  /**
   * Finalizers under spec that hold deletion back until a controller has removed them through /finalize
   * (namespaces).
   */
  readonly finalizersUnderSpec?: boolean;
}

export interface ResourceDefinition {
  readonly names: ResourceNames;
  readonly namespaced: boolean;
  /**
   * Where the objects are stored below the registry prefix, with a trailing slash: "configmaps/",
   * "stable.example.com/crontabs/".
   */
  readonly storagePath: string;
  /** The group that errors and storage name the resource by. */
  readonly group: string;
  readonly versions: readonly VersionDefinition[];
  readonly storageApiVersion: string;
  readonly converter: Converter;
  /**
   * The identity that forms belong to: forms made under another one are no longer used. Definitions that
   * share it differ in nothing that shows in objects. Without it, every definition has its own.
   */
  readonly formGeneration?: object;
  readonly strategy: Strategy;
  /**
   * True for kinds that upstream has Go types for. Clients see the difference: items of a list carry no kind,
   * strategic merge patch works, a value of the wrong JSON type is a decoding error (400) rather than a
   * validation error (422).
   */
  readonly typed: boolean;
  /**
   * The definition itself is being deleted: its objects can be read, changed and deleted, but not created.
   */
  readonly terminating?: boolean;
  /**
   * Why requests for the objects cannot be answered now. The objects stay stored, and the server's own work
   * on them (deletion) continues.
   */
  readonly unavailable?: string;
  /** The verbs that are supported, if not all of them are. */
  readonly verbs?: readonly string[];
}
