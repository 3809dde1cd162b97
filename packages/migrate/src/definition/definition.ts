// The CustomResourceDefinition that a command works on: found by what users type, read, and changed under its
// resourceVersion.
import type { KubeApi, ResourceRef } from '@instar/client';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { ApiError } from '@instar/machinery';
import { MigrationError } from '../migration-error.ts';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

export const crdRef = (name: string): ResourceRef => ({ ...CRDS, name });
const crdStatusRef = (name: string): ResourceRef => ({ ...CRDS, name, subresource: 'status' });

/** By its name, or any name in discovery: plural, singular, short name. */
export async function readDefinition(api: KubeApi, name: string): Promise<CustomResourceDefinition> {
  try {
    return await api.get<CustomResourceDefinition>(crdRef(name));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
    const found = await api.findResource(name);
    if (found === undefined) throw error;
    await refuseAmbiguous(api, name);
    return api.get<CustomResourceDefinition>(crdRef(`${found.resource}.${found.group}`));
  }
}

/** Several groups may have a resource of the same name: never guess which one is meant. */
async function refuseAmbiguous(api: KubeApi, name: string): Promise<void> {
  const { items } = await api.list<CustomResourceDefinition>(CRDS);
  const meant = items.filter(({ spec: { names } }) =>
    [names.plural, names.singular, names.kind.toLowerCase(), ...(names.shortNames ?? [])].includes(
      name.toLowerCase(),
    ),
  );
  if (meant.length > 1)
    throw new MigrationError(`${name} could be ${meant.map(crdName).join(' or ')}: give the whole name`);
}

/** The name of a definition. */
export const crdName = ({ metadata }: CustomResourceDefinition): string => metadata.name!;

/** The storage version of a definition. */
export function storageVersionOf({ spec }: CustomResourceDefinition): string {
  return spec.versions.find(({ storage }) => storage)!.name;
}

export const hasVersion = ({ spec }: CustomResourceDefinition, name: string): boolean =>
  spec.versions.some((version) => version.name === name);

/** Checked before anything is read or changed. */
export function requireVersion(crd: CustomResourceDefinition, name: string): void {
  if (hasVersion(crd, name)) return;
  throw new MigrationError(
    `${crdName(crd)} has no version ${name}; it has ${crd.spec.versions.map((version) => version.name).join(', ')}`,
  );
}

/** The objects of the definition, in one of its versions. */
export function objectsRef({ spec }: CustomResourceDefinition, version: string): ResourceRef {
  return { group: spec.group, version, resource: spec.names.plural };
}

export function objectRef(
  crd: CustomResourceDefinition,
  version: string,
  namespace: string | undefined,
  name: string,
): ResourceRef {
  return { ...objectsRef(crd, version), ...(namespace !== undefined && { namespace }), name };
}

/**
 * The version through which objects can be rewritten: the storage version if it is served, else any served
 * one.
 */
export function servedVersionOf({ spec }: CustomResourceDefinition): string | undefined {
  const served = spec.versions.filter((version) => version.served);
  return (served.find(({ storage }) => storage) ?? served[0])?.name;
}

/** Writes the versions as `change` leaves them, unless the definition has changed in the meantime. */
export async function changeVersions(
  api: KubeApi,
  crd: CustomResourceDefinition,
  change: (versions: CustomResourceDefinitionVersion[]) => CustomResourceDefinitionVersion[],
): Promise<CustomResourceDefinition> {
  const versions = change(structuredClone(crd.spec.versions));
  const patch = { metadata: { resourceVersion: crd.metadata.resourceVersion }, spec: { versions } };
  return api.patch<CustomResourceDefinition>(crdRef(crdName(crd)), patch, {
    type: 'merge',
    fieldManager: MANAGER,
  });
}

export async function writeStoredVersions(
  api: KubeApi,
  crd: CustomResourceDefinition,
  storedVersions: readonly string[],
): Promise<CustomResourceDefinition> {
  const patch = { metadata: { resourceVersion: crd.metadata.resourceVersion }, status: { storedVersions } };
  return api.patch<CustomResourceDefinition>(crdStatusRef(crdName(crd)), patch, {
    type: 'merge',
    fieldManager: MANAGER,
  });
}

export const MANAGER = 'instar-migrate';
