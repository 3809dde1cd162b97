// A write as admission describes it: kinds, resources, names and options as upstream fills them in.
import type { AdmissionSubject, ResourceMapping } from '@instar/admission';
import type { GroupVersionKind, JsonObject, KubeObject } from '@instar/machinery';
import type { ResourceDefinition, VersionDefinition } from '../../objects/definition.ts';
import { findSubresource, subresourceKind } from '../../objects/subresource.ts';
import type { AdmissionOperation, WriteRequest } from '../../objects/write/write-request.ts';

export function subjectOf({ operation, object, old, write, options }: AdmissionOperation): AdmissionSubject {
  const { resource, version, subresource, user } = write;
  const { definition } = resource;
  const name = admittedName(operation, object, write);
  return {
    ...mappingOf(definition, version, subresource),
    operation,
    subresource,
    namespace: definition.namespaced ? write.namespace : isNamespace(definition) ? name : '',
    name,
    user: { uid: '', extra: {}, ...user },
    dryRun: write.dryRun,
    options: optionsOf(operation, options.given),
    old,
    equivalents: equivalentsOf(definition, version, subresource),
  };
}

function admittedName(
  operation: AdmissionOperation['operation'],
  object: KubeObject | undefined,
  write: WriteRequest,
): string {
  if (operation === 'CREATE') return write.name || (object?.metadata.name ?? '');
  return write.ofCollection === true ? '' : write.name;
}

const isNamespace = ({ group, names }: ResourceDefinition): boolean =>
  group === '' && names.plural === 'namespaces';

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

function optionsOf(operation: AdmissionOperation['operation'], given: JsonObject = {}): JsonObject {
  return { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1', ...given };
}

const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function mappingOf(
  { names }: ResourceDefinition,
  served: VersionDefinition,
  subresource: string,
): ResourceMapping {
  const { group, version } = served;
  const declared = findSubresource(served, subresource);
  const kind = subresource === 'scale' ? SCALE : declared && subresourceKind(declared);
  return {
    resource: { group, version, resource: names.plural },
    kind: kind ?? { group, version, kind: names.kind },
  };
}

const equivalents = new WeakMap<ResourceDefinition, Map<string, readonly ResourceMapping[]>>();

/**
 * The other versions in which the resource has this subresource, served or not. The same array as long as the
 * definition does not change.
 */
function equivalentsOf(
  definition: ResourceDefinition,
  version: VersionDefinition,
  subresource: string,
): readonly ResourceMapping[] {
  let mappings = equivalents.get(definition);
  if (mappings === undefined) equivalents.set(definition, (mappings = new Map()));
  const key = `${version.apiVersion} ${subresource}`;
  let found = mappings.get(key);
  if (found === undefined) {
    const others = definition.versions.filter(
      (other) => other !== version && hasSubresource(other, subresource),
    );
    found = others.map((other) => mappingOf(definition, other, subresource));
    mappings.set(key, found);
  }
  return found;
}

function hasSubresource(version: VersionDefinition, subresource: string): boolean {
  if (subresource === 'status') return version.statusSubresource;
  if (subresource === 'scale') return version.scaleSubresource !== undefined;
  return (
    subresource === '' || subresource === 'finalize' || findSubresource(version, subresource) !== undefined
  );
}
