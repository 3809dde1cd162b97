// Makes the ResourceDefinition of a built-in kind from a short description. Custom kinds have the same type
// of definition.

import type { Converter } from '@instar/convert';
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import type { StructType } from '@instar/kinds';
import {
  type FieldError,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { type CompiledSchema, compileSchema } from '@instar/schema';
import type {
  ResourceDefinition,
  ScaleSubresource,
  SelectableField,
  Strategy,
  TableColumn,
  TypedDecoder,
  VersionDefinition,
} from '../objects/definition.ts';
import type { DeclaredSubresource } from '../objects/subresource.ts';
import { typedDecoder, zeroOf } from './typed/decode.ts';
import { registerListed, registerType } from './typed/meta-types.ts';
import { schemaOf } from './typed/schema-of.ts';

export interface BuiltinVersion {
  readonly group: string;
  readonly version: string;
  readonly type: StructType;
  readonly columns: readonly TableColumn[];
  readonly selectableFields?: readonly SelectableField[];
  /** The message for other fields, if it is not one of the usual two. */
  readonly unsupportedFieldSelector?: (field: string) => string;
  readonly statusSubresource?: boolean;
  readonly scaleSubresource?: ScaleSubresource;
  /** Those besides status and scale. */
  readonly subresources?: readonly DeclaredSubresource[];
  /** Additional text for the error of an unknown field. */
  readonly unknownFieldHint?: (path: string) => string | undefined;
  readonly deprecationWarning?: string;
  /** Defaults that depend on other fields, which the type cannot express. Runs at every decoding. */
  readonly fillIn?: (object: JsonObject) => void;
}

interface BuiltinKind {
  readonly plural: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly storagePath: string;
  /** The first one is stored. */
  readonly versions: readonly [BuiltinVersion, ...BuiltinVersion[]];
  readonly converter?: Converter;
  readonly strategy: Strategy;
  /**
   * True: the kind's own validation covers metadata as well (upstream's events do that in one version only).
   */
  readonly ownMetadataValidation?: boolean;
  readonly verbs?: readonly string[];
}

export function defineKind(kind: BuiltinKind): ResourceDefinition {
  const stored = kind.versions[0];
  for (const version of kind.versions) {
    registerListed(apiVersionOf(version), kind.kind, version.type);
    for (const subresource of version.subresources ?? []) registerPosted(subresource);
  }
  return {
    names: {
      plural: kind.plural,
      singular: kind.kind.toLowerCase(),
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      shortNames: kind.shortNames ?? [],
      categories: kind.categories ?? [],
    },
    namespaced: kind.namespaced,
    storagePath: kind.storagePath,
    group: stored.group,
    versions: kind.versions.map(defineVersion),
    storageApiVersion: apiVersionOf(stored),
    converter: kind.converter ?? oneVersion,
    strategy: strategyOf(kind),
    typed: true,
    ...(kind.verbs !== undefined && { verbs: kind.verbs }),
  };
}

/** Typed clients post these objects in protobuf, too. */
function registerPosted(subresource: DeclaredSubresource): void {
  if (subresource.style !== 'create') return;
  const { kind, type, alsoAccepts = [] } = subresource;
  for (const apiVersion of [apiVersionOf(kind), ...alsoAccepts]) registerType(apiVersion, kind.kind, type);
}

/** As upstream, the validation of a kind includes its metadata, with the kind's own rule for names. */
function strategyOf(kind: BuiltinKind): Strategy {
  const { strategy, namespaced, ownMetadataValidation } = kind;
  if (ownMetadataValidation === true) return { allowUnconditionalUpdate: true, ...strategy };
  const validateName = strategy.validateName ?? nameIsDnsSubdomain;
  return {
    allowUnconditionalUpdate: true,
    ...strategy,
    validateCreate: (object, context) => [
      ...validateObjectMeta(object.metadata, namespaced, validateName),
      ...finalizerErrors(kind, object),
      ...(strategy.validateCreate?.(object, context) ?? []),
    ],
    validateUpdate: (object, old, context) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      // Of both validations, for the update and for the object: as upstream, it is reported twice.
      ...finalizerErrors(kind, object),
      ...validateObjectMeta(object.metadata, namespaced, validateName),
      ...finalizerErrors(kind, object),
      ...(strategy.validateUpdate?.(object, old, context) ?? []),
    ],
  };
}

/** Upstream validates the metadata of these groups like that of custom resources. */
const ANY_FINALIZER = new Set([
  'apiextensions.k8s.io',
  'admissionregistration.k8s.io',
  'apiregistration.k8s.io',
]);
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function finalizerErrors({ versions }: BuiltinKind, { metadata }: KubeObject): FieldError[] {
  if (ANY_FINALIZER.has(versions[0]!.group)) return [];
  return (metadata.finalizers ?? []).flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [
          fieldErrors.invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group === '' ? version : `${group}/${version}`;

function defineVersion(version: BuiltinVersion): VersionDefinition {
  const selectable = version.selectableFields ?? [];
  let schema: CompiledSchema | undefined;
  let blank: JsonObject | undefined;
  return {
    group: version.group,
    version: version.version,
    apiVersion: apiVersionOf(version),
    served: true,
    deprecated: version.deprecationWarning !== undefined,
    ...(version.deprecationWarning !== undefined && { deprecationWarning: version.deprecationWarning }),
    ...(version.unknownFieldHint !== undefined && { unknownFieldHint: version.unknownFieldHint }),
    // Compiled on first use: most kinds are not used in most runs, and the server must start quickly.
    get schema() {
      schema ??= compileSchema(schemaOf(version.type));
      return schema;
    },
    goType: version.type,
    decode: decoderOf(version),
    blank: () => {
      blank ??= zeroOf(version.type);
      return blank;
    },
    statusSubresource: version.statusSubresource ?? false,
    ...(version.scaleSubresource !== undefined && { scaleSubresource: version.scaleSubresource }),
    ...(version.subresources !== undefined && { subresources: version.subresources }),
    columns: version.columns,
    selectableFields: selectable,
    // Upstream has two texts: kinds that list their fields have the shorter one.
    unsupportedFieldSelector:
      version.unsupportedFieldSelector ??
      ((field) =>
        selectable.length > 0
          ? `field label not supported: ${field}`
          : `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`),
  };
}

function decoderOf({ type, fillIn }: BuiltinVersion): TypedDecoder {
  const decode = typedDecoder(type);
  return (raw) => {
    const decoded = decode(raw);
    if (!('object' in decoded)) return decoded;
    keepEmptyManagedFields(raw, decoded.object);
    fillIn?.(decoded.object);
    return decoded;
  };
}

/** An empty list, unlike a missing one, says that nobody owns anything. */
function keepEmptyManagedFields(raw: JsonValue, { metadata }: JsonObject): void {
  const sent = isJsonObject(raw) && isJsonObject(raw['metadata']) ? raw['metadata']['managedFields'] : null;
  if (Array.isArray(sent) && sent.length === 0 && isJsonObject(metadata)) metadata['managedFields'] = [];
}

const oneVersion: Converter = { convertNow: (object: KubeObject) => object };
