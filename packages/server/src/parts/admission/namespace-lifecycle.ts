// Objects can be created only in namespaces that exist and are not being deleted. First in the admission
// chain, as upstream's NamespaceLifecycle.
import { type ApiError, apiErrors } from '@instar/machinery';
import { PROTECTED_NAMESPACES } from '../../kinds/bootstrap.ts';
import type { Resource } from '../../objects/resource.ts';
import type { AdmissionOperation } from '../../objects/write/write-request.ts';

export async function checkNamespace(
  { operation, object, write }: AdmissionOperation,
  namespaces: Resource,
): Promise<void> {
  const { resource, namespace, name } = write;
  if (resource === namespaces) {
    if (operation === 'DELETE' && PROTECTED_NAMESPACES.has(name)) {
      throw apiErrors.forbidden(resource.groupResource, name, 'this namespace may not be deleted');
    }
    return;
  }
  if (operation !== 'CREATE' || !resource.definition.namespaced) return;
  const found = await findNamespace(namespaces, namespace);
  if (found === undefined) throw namespaces.notFound(namespace);
  if (found.metadata.deletionTimestamp != null)
    throw beingTerminated(resource, object?.metadata.name ?? '', namespace);
}

/** A namespace that is not in the cache may have just been created by another server. */
export async function findNamespace(namespaces: Resource, name: string) {
  const key = namespaces.key('', name);
  await namespaces.cache.waitUntilStarted();
  const known = namespaces.cache.get(key);
  if (known !== undefined) return known;
  await namespaces.cache.waitUntilFresh();
  return namespaces.cache.get(key);
}

function beingTerminated(resource: Resource, name: string, namespace: string): ApiError {
  const error = apiErrors.forbidden(
    resource.groupResource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return apiErrors.raw({ ...error.status, details: { ...error.status.details, causes: [cause] } });
}
