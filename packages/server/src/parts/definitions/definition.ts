// Makes the definition by which the server serves a custom resource from its CustomResourceDefinition.
import type { Converter } from '@instar/convert';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { compareKubeAwareVersions, compileJsonPath, type JsonObject, printCell } from '@instar/machinery';
import { type CompiledSchema, compileSchema, type JSONSchemaProps } from '@instar/schema';
import { customColumns } from '../../kinds/table/custom-columns.ts';
import type { ResourceDefinition, SelectableField, VersionDefinition } from '../../objects/definition.ts';
import { digestOf } from './digest.ts';
import { customStrategy } from './strategy.ts';

/** Schemas by the digest of their source, so that other changes of a definition do not compile them again. */
export type SchemaCache = Map<string, CompiledSchema>;

/** The parts that outlive a definition. */
interface DefinitionParts {
  readonly schemas: SchemaCache;
  readonly converter: Converter;
  readonly formGeneration: object;
  readonly unavailable: string | undefined;
}

export function definitionOf(
  crd: CustomResourceDefinition,
  parts: DefinitionParts,
  terminating: boolean,
): ResourceDefinition {
  const { group, scope, versions } = crd.spec;
  const names = crd.status.acceptedNames;
  const namespaced = scope === 'Namespaced';
  const defined = versions.map((version) => versionOf(crd, version, parts.schemas));
  const versionNamed = (apiVersion: string) => defined.find((version) => version.apiVersion === apiVersion);
  return {
    names: {
      plural: names.plural,
      singular: names.singular ?? '',
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
    },
    namespaced,
    storagePath: `${group}/${names.plural}/`,
    group,
    versions: defined,
    storageApiVersion: `${group}/${versions.find(({ storage }) => storage)!.name}`,
    converter: parts.converter,
    formGeneration: parts.formGeneration,
    strategy: customStrategy({ kind: names.kind, namespaced, versionOf: versionNamed }),
    typed: false,
    ...(terminating && { terminating }),
    ...(parts.unavailable !== undefined && { unavailable: parts.unavailable }),
  };
}

function versionOf(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  schemas: SchemaCache,
): VersionDefinition {
  const { group } = crd.spec;
  const { name, served, deprecated = false, subresources } = version;
  return {
    group,
    version: name,
    apiVersion: `${group}/${name}`,
    served,
    deprecated,
    ...(deprecated && { deprecationWarning: version.deprecationWarning ?? deprecationWarning(crd, version) }),
    schema: crd.spec.preserveUnknownFields
      ? preservingUnknownFields(schemaOf(version, schemas))
      : schemaOf(version, schemas),
    statusSubresource: subresources?.status !== undefined,
    ...(subresources?.scale !== undefined && { scaleSubresource: subresources.scale }),
    columns: customColumns(version.additionalPrinterColumns),
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => selectableField(jsonPath)),
  };
}

/** Upstream's text, which names the newest version that is not deprecated, if there is one. */
function deprecationWarning(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): string {
  const text = `${spec.group}/${version.name} ${spec.names.kind} is deprecated`;
  const better = replacementFor(spec.versions, version);
  return better === undefined ? text : `${text}; use ${spec.group}/${better} ${spec.names.kind}`;
}

function replacementFor(
  versions: readonly CustomResourceDefinitionVersion[],
  old: CustomResourceDefinitionVersion,
): string | undefined {
  const candidates = versions.filter(
    ({ served, deprecated, name }) => served && !deprecated && compareKubeAwareVersions(name, old.name) < 0,
  );
  return candidates.sort((a, b) => compareKubeAwareVersions(a.name, b.name))[0]?.name;
}

/** Definitions that were created in v1beta1 may preserve everything that clients send. */
const preservingUnknownFields = (schema: CompiledSchema): CompiledSchema => ({ ...schema, prune: () => [] });

function schemaOf({ schema }: CustomResourceDefinitionVersion, schemas: SchemaCache): CompiledSchema {
  const props: JSONSchemaProps = schema?.openAPIV3Schema ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const key = digestOf(props);
  let compiled = schemas.get(key);
  if (compiled === undefined) schemas.set(key, (compiled = compileSchema(props)));
  return compiled;
}

function selectableField(jsonPath: string): SelectableField {
  const path = compileJsonPath(jsonPath);
  return {
    name: jsonPath.replace(/^\./, ''),
    value(object: JsonObject) {
      const [value] = path.find(object);
      return value === undefined || value === null ? '' : printCell(value);
    },
  };
}
