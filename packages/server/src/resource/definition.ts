// What the server knows of one resource: built-in kinds and custom kinds are both described by this, and served by one path.
// Built-in definitions ship with the server (builtin/); custom ones are made from CustomResourceDefinitions. Nothing here does I/O.
import type { FieldError, JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';

export interface ResourceNames {
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
  readonly labelSelectorPath?: string;
}

/** One apiVersion in which the resource is served. The versions of a resource may be in several groups (events are). */
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
  /** Written by PUT/PATCH …/status alone when present; the main resource leaves .status as it was. */
  readonly statusSubresource: boolean;
  readonly scaleSubresource?: ScaleSubresource;
  readonly columns: readonly TableColumn[];
  /** The values that field selectors may ask for, besides metadata.name and metadata.namespace. */
  readonly selectableFields: readonly SelectableField[];
}

export interface SelectableField {
  readonly name: string;
  value(object: JsonObject): string;
}

/** Who writes, and which part of the object: what a strategy may depend on. */
export interface WriteContext {
  readonly subresource: '' | 'status' | 'scale' | 'finalize';
  readonly dryRun: boolean;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
}

/**
 * What a kind does beyond its schema, in the order in which the write path calls it. Objects are in the version of the request.
 * Functions may change `object` where the name says prepare, and never `old`.
 */
export interface Strategy {
  /** Fills in and resets what clients may not decide (namespace finalizers, secret stringData, …). */
  prepareForCreate?(object: KubeObject, context: WriteContext): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): void;
  /** Reasons why the name is refused; `isPrefix` for generateName. Without it: a DNS-1123 subdomain. */
  validateName?(name: string, isPrefix: boolean): string[];
  validateCreate?(object: KubeObject, context: WriteContext): FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): FieldError[];
  /** Texts for Warning headers. */
  warnings?(object: KubeObject, old: KubeObject | undefined, context: WriteContext): string[];
  /** Seconds until the object goes by itself (events). */
  ttlSeconds?(object: KubeObject): number | undefined;
  /** A PUT of an object that does not exist creates it (leases, events and some others upstream). */
  readonly allowCreateOnUpdate?: boolean;
  /** False: an update must name the resourceVersion it is based on (custom resources upstream). */
  readonly allowUnconditionalUpdate?: boolean;
  /** Finalizers under spec that hold deletion back until a controller has removed them through /finalize (namespaces). */
  readonly finalizersUnderSpec?: boolean;
}

/** Turns objects of one apiVersion of the resource into another. The objects given are never changed. */
export interface ObjectConverter {
  convert(objects: readonly KubeObject[], toApiVersion: string): Promise<KubeObject[]>;
  /** Synchronous shortcut for converters that need no I/O; without it every conversion is awaited. */
  convertNow?(object: KubeObject, toApiVersion: string): KubeObject;
}

export interface ResourceDefinition {
  readonly names: ResourceNames;
  readonly namespaced: boolean;
  /** Where the objects stand below the registry prefix, with a trailing slash: "configmaps/", "stable.example.com/crontabs/". */
  readonly storagePath: string;
  /** The group that errors and storage name the resource by. */
  readonly group: string;
  readonly versions: readonly VersionDefinition[];
  readonly storageApiVersion: string;
  readonly converter: ObjectConverter;
  readonly strategy: Strategy;
  /**
   * True for kinds that upstream has Go types for. Clients see the difference: items of a list carry no kind, strategic merge patch works,
   * a value of the wrong JSON type is a decoding error (400) rather than a validation error (422).
   */
  readonly typed: boolean;
  /** Verbs that are offered, where not all of them are. */
  readonly verbs?: readonly string[];
}
