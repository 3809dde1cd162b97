// OwnerReferencesPermissionEnforcement: only those who may delete an object change its owners, and only those
// who may set the finalizers of an owner make it wait for the object.
import { type KubeObject, type OwnerReference, parseApiVersion } from '@instar/machinery';
import type { Attributes, Authorizer, Decision } from '../../../api/auth/authorizer.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { userOf } from '../../rbac/escalation.ts';
import { denied, type PluginDefinition, type PluginServices } from './plugin.ts';

export const ownerReferencesPermissionEnforcement: PluginDefinition = {
  name: 'OwnerReferencesPermissionEnforcement',
  make: ({ registry, authorizer }) => ({
    async validate(operation) {
      if (operation.operation === 'DELETE' || !changesOwners(operation)) return;
      const { write } = operation;
      const { definition } = write.resource;
      if (definition.group === '' && definition.names.plural === 'pods' && write.subresource === 'status')
        return;
      if (operation.operation === 'UPDATE') await mayDelete(operation, authorizer);
      await mayBlock(operation, { registry, authorizer });
    },
  }),
};

const ownersOf = (object: KubeObject | undefined): readonly OwnerReference[] =>
  object?.metadata.ownerReferences ?? [];

const changesOwners = ({ object, old }: AdmissionOperation): boolean =>
  JSON.stringify(ownersOf(object)) !== JSON.stringify(ownersOf(old));

function attributesOf({ write }: AdmissionOperation, about: Partial<Attributes>): Attributes {
  const { group, version } = write.version;
  return {
    user: userOf(write),
    verb: 'delete',
    isResourceRequest: true,
    group,
    version,
    resource: write.resource.definition.names.plural,
    subresource: write.subresource,
    namespace: write.namespace,
    name: write.name,
    path: '',
    ...about,
  };
}

/** As Go prints the reason and the error. */
const whyNot = ({ reason, error }: Decision): string => `${reason}, ${error ?? '<nil>'}`;

async function mayDelete(operation: AdmissionOperation, authorizer: Authorizer): Promise<void> {
  const decision = await authorizer.authorize(attributesOf(operation, {}));
  if (decision.decision !== 'allow')
    throw denied(operation, `cannot set an ownerRef on a resource you can't delete: ${whyNot(decision)}`);
}

async function mayBlock(
  operation: AdmissionOperation,
  { registry, authorizer }: Pick<PluginServices, 'registry' | 'authorizer'>,
): Promise<void> {
  const blocking = newlyBlocking(operation);
  if (blocking.length === 0) return;
  const finalizers = { verb: 'update', subresource: 'finalizers' };
  const any = { group: '*', version: '*', resource: '*', namespace: '', name: '*' };
  const all = await authorizer.authorize(attributesOf(operation, { ...finalizers, ...any }));
  if (all.decision === 'allow') return;
  for (const owner of blocking) {
    const resource = resourceOf(operation, owner, registry);
    const decision = await authorizer.authorize(attributesOf(operation, { ...finalizers, ...resource }));
    if (decision.decision !== 'allow')
      throw denied(
        operation,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${whyNot(decision)}`,
      );
  }
}

function newlyBlocking({ object, old }: AdmissionOperation): OwnerReference[] {
  const before = new Set(
    ownersOf(old).flatMap(({ uid, blockOwnerDeletion }) => (blockOwnerDeletion === true ? [uid] : [])),
  );
  return ownersOf(object).filter(
    ({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && !before.has(uid),
  );
}

function resourceOf(
  operation: AdmissionOperation,
  { apiVersion, kind, name }: OwnerReference,
  registry: ResourceRegistry,
): Pick<Attributes, 'group' | 'version' | 'resource' | 'namespace' | 'name'> {
  const found = registry.findKind(apiVersion, kind);
  if (found === undefined) {
    const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
    const why = `no matches for kind "${kind}" in version "${group === '' ? version : `${group}/${version}`}"`;
    throw denied(
      operation,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`,
    );
  }
  const { definition } = found.resource;
  const { group, version } = found.version;
  const namespace = definition.namespaced ? operation.write.namespace : '';
  return { group, version, resource: definition.names.plural, namespace, name };
}
