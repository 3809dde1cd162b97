// Brings a definition as users write it into its decoded form: required fields are set, nulls are removed.
import { deepCopy, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { applyCrdDefaults } from '../defaults.ts';
import type { CustomResourceDefinition } from '../types.ts';

export function decoded(given: object): CustomResourceDefinition {
  const crd = withoutNulls(deepCopy(given as JsonObject)) as JsonObject;
  const spec = {
    group: '',
    scope: '',
    versions: null,
    ...(crd['spec'] as JsonObject | undefined),
  } as JsonObject;
  const names = { plural: '', kind: '', ...(spec['names'] as JsonObject | undefined) };
  const status = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: null,
    ...(crd['status'] as JsonObject | undefined),
  };
  const versions = (spec['versions'] as JsonObject[] | null)?.map((version) => ({
    name: '',
    served: false,
    storage: false,
    ...version,
  }));
  const object = { metadata: {}, ...crd, spec: { ...spec, names, versions: versions ?? null }, status };
  const definition = object as unknown as CustomResourceDefinition;
  fillInPort(definition);
  fillInStrategy(definition);
  applyCrdDefaults(definition);
  return definition;
}

function fillInPort({ spec }: CustomResourceDefinition): void {
  const service = spec.conversion?.webhook?.clientConfig?.service;
  if (service === undefined) return;
  service.namespace ??= '';
  service.name ??= '';
  service.port ??= 443;
}

function fillInStrategy({ spec: { conversion } }: CustomResourceDefinition): void {
  if (conversion !== undefined) conversion.strategy ??= '';
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'default' ? member : withoutNulls(member)]),
  );
}
