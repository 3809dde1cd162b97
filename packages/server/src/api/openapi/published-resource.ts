// One resource in one version, with everything that its part of a document depends on. Resources with equal
// `facts` and `schema` publish the same.

import type { StructType } from '@instar/kinds';
import { encodeJson, type JsonObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';
import { DeleteOptions, ListMeta, Patch, Scale, Status } from '../../kinds/typed/meta-types.ts';
import { ObjectMeta } from '../../kinds/typed/object-meta.ts';
import type { ResourceDefinition, VersionDefinition } from '../../objects/definition.ts';
import {
  type CreatedSubresource,
  type DeclaredSubresource,
  subresourceKind,
  subresourceVerbs,
} from '../../objects/subresource.ts';
import type { VirtualResource } from '../../objects/virtual-resource.ts';
import type { Dialect } from './dialect.ts';
import { customModelName, goModelName, SCALE_MODEL } from './model-names.ts';
import { type OperatedResource, type OperatedSubresource, operationsOf } from './paths/operations.ts';
import { printPaths } from './paths/print-paths.ts';
import { customSchema } from './schema/custom-schema.ts';
import { addGoModel, type Models } from './schema/go-schema.ts';
import { listSchema, objectProperties } from './schema/type-meta.ts';

/** The part of the registry that documents are made from. */
export interface PublishedRegistry {
  /** Changes with every change of the rest. */
  readonly revision: number;
  all(): Iterable<{ readonly definition: ResourceDefinition }>;
  virtual(): Iterable<VirtualResource>;
}

export interface PublishedResource extends Omit<OperatedResource, 'verbs'> {
  readonly verbs: readonly string[];
  readonly listKind: string;
  readonly selectableFields: readonly string[];
  /** Where the schema of the kind comes from; virtual resources have none. */
  readonly schema: CompiledSchema | StructType | undefined;
  /** The subresources that take an object of another kind. */
  readonly created: readonly CreatedSubresource[];
  /** All other fields except the schema, as text. */
  readonly facts: string;
}

const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const EVERY_VERB = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export function publishedResources(registry: PublishedRegistry): PublishedResource[] {
  const found: PublishedResource[] = [];
  for (const { definition } of registry.all()) {
    for (const version of definition.versions)
      if (version.served) found.push(storedResource(definition, version));
  }
  for (const virtual of registry.virtual()) found.push(virtualResource(virtual));
  return found;
}

function storedResource(definition: ResourceDefinition, version: VersionDefinition): PublishedResource {
  const { names, namespaced, typed } = definition;
  const { group, goType } = version;
  const model =
    goType === undefined
      ? customModelName(group, version.version, names.kind)
      : (goType.model ?? goModelName(group, goType.name));
  return withFacts(goType ?? version.schema, createdIn(version), {
    group,
    version: version.version,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    namespaced,
    typed,
    // A definition that is being deleted is still described in full, as upstream does.
    verbs: (typed ? definition.verbs : undefined) ?? EVERY_VERB,
    subresources: subresourcesOf(definition, version),
    model,
    listModel:
      goType === undefined ? customModelName(group, version.version, names.listKind) : `${model}List`,
    selectableFields: typed ? [] : version.selectableFields.map(({ name }) => name),
  });
}

function subresourcesOf(
  { strategy, typed }: ResourceDefinition,
  version: VersionDefinition,
): OperatedSubresource[] {
  const verbs = ['get', 'patch', 'update'];
  // Those of custom resources are said to be about the resource itself.
  const scaled = { model: SCALE_MODEL, ...(typed && { kind: SCALE_KIND }) };
  const found: OperatedSubresource[] = [
    ...(strategy.finalizersUnderSpec ? [{ name: 'finalize', verbs: ['update'] }] : []),
    ...(version.scaleSubresource !== undefined ? [{ name: 'scale', verbs, ...scaled }] : []),
    ...(version.statusSubresource ? [{ name: 'status', verbs }] : []),
    ...(version.subresources ?? []).map(declaredSubresource),
  ];
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function declaredSubresource(declared: DeclaredSubresource): OperatedSubresource {
  const kind = subresourceKind(declared);
  return {
    name: declared.name,
    verbs: subresourceVerbs(declared),
    ...(kind !== undefined && { kind }),
    ...(declared.style === 'create' && { model: createdModel(declared) }),
    ...(declared.style === 'connect' && { isConnection: true }),
  };
}

const createdModel = ({ type, kind }: CreatedSubresource): string =>
  type.model ?? goModelName(kind.group, type.name);

function virtualResource({
  group,
  version,
  kind,
  resource,
  namespaced,
  verbs,
}: VirtualResource): PublishedResource {
  const model = goModelName(group, `${version}.${kind}`);
  const listKind = `${kind}List`;
  return withFacts(undefined, [], {
    ...{ group, version, kind, listKind, plural: resource, namespaced, typed: true, verbs },
    ...{ subresources: [], model, listModel: `${model}List`, selectableFields: [] },
  });
}

const createdIn = ({ subresources = [] }: VersionDefinition): CreatedSubresource[] =>
  subresources.filter((declared) => declared.style === 'create');

const withFacts = (
  schema: PublishedResource['schema'],
  created: PublishedResource['created'],
  facts: Omit<PublishedResource, 'facts' | 'schema' | 'created'>,
): PublishedResource => ({
  ...facts,
  schema,
  created,
  facts: encodeJson(facts),
});

/** True if documents of both are the same. */
export const publishTheSame = (
  some: readonly PublishedResource[],
  others: readonly PublishedResource[],
): boolean =>
  some.length === others.length &&
  some.every(
    ({ facts, schema }, index) => schema === others[index]!.schema && facts === others[index]!.facts,
  );

export const pathsOf = (resource: PublishedResource, dialect: Dialect): Map<string, JsonObject> =>
  printPaths(operationsOf({ ...resource, verbs: new Set(resource.verbs) }), dialect);

/** Adds the kind, its list, and for Go types all types that the kind consists of. */
export function addModels(models: Models, resource: PublishedResource, dialect: Dialect): void {
  const { kind, listKind, model, listModel, verbs, selectableFields } = resource;
  const extensions = (named: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group: resource.group, version: resource.version, kind: named }],
    ...(selectableFields.length > 0 && {
      'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })),
    }),
  });
  models.set(model, { ...kindSchema(models, resource, dialect), ...extensions(kind) });
  for (const { kind: of, type } of resource.created) addGoModel(models, dialect, of.group, type);
  if (verbs.includes('list'))
    models.set(listModel, { ...listSchema(dialect, resource, model), ...extensions(listKind) });
}

function kindSchema(models: Models, { schema, group }: PublishedResource, dialect: Dialect): JsonObject {
  if (schema === undefined) {
    const open = { type: 'object' };
    return { type: 'object', properties: { ...objectProperties(dialect), spec: open, status: open } };
  }
  return 'source' in schema
    ? customSchema(schema.source, dialect)
    : models.get(addGoModel(models, dialect, group, schema))!;
}

/** Adds the models that all kinds and operations reference. */
export function addMetaModels(models: Models, dialect: Dialect, withScale: boolean): void {
  for (const type of [ObjectMeta, ListMeta, Status, DeleteOptions, Patch])
    addGoModel(models, dialect, '', type);
  if (withScale) addGoModel(models, dialect, 'autoscaling', Scale);
}

export const hasScale = ({ subresources }: PublishedResource): boolean =>
  subresources.some(({ name }) => name === 'scale');
