// Brings the bootstrap roles and bindings into the store at start: missing ones are created, others
// reconciled. Writes are the server's own, without admission.
import { ApiError, asJson, type KubeObject } from '@instar/machinery';
import { RBAC_GROUP } from '../../kinds/validate/rbac.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { createObject } from '../../objects/write/create.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import { deleteInternally } from '../controllers/internal-deletes.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { type BootstrapObject, bootstrapPolicy } from './bootstrap/policy.ts';
import { reconciledObject } from './reconcile-object.ts';

/** Writes in flight: a commit to disk takes as long for several as for one. */
const CONCURRENCY = 32;
/** A role that every storage has once they were written. */
const FIRST_ROLE = 'system:discovery';
const MANAGER = 'kube-apiserver';

/** `wasMissing`: this storage had no bootstrap roles yet. */
export async function bootstrapRoles(registry: ResourceRegistry): Promise<{ readonly wasMissing: boolean }> {
  const clusterRoles = registry.get(RBAC_GROUP, 'clusterroles')!;
  await clusterRoles.cache.waitUntilFresh();
  const wasMissing = clusterRoles.cache.get(clusterRoles.key('', FIRST_ROLE)) === undefined;
  const objects = bootstrapPolicy();
  for (let at = 0; at < objects.length; at += CONCURRENCY) {
    const batch = objects.slice(at, at + CONCURRENCY);
    await Promise.all(batch.map((object) => reconcile(registry, object)));
  }
  return { wasMissing };
}

async function reconcile(registry: ResourceRegistry, { plural, object }: BootstrapObject): Promise<void> {
  const resource = registry.get(RBAC_GROUP, plural)!;
  await resource.cache.waitUntilFresh();
  const { name = '', namespace = '' } = object.metadata;
  const existing = resource.cache.get(resource.key(namespace, name))?.parse();
  if (existing === undefined) return create(resource, object);
  const reconciled = reconciledObject(existing, object);
  if (reconciled === 'unchanged') return;
  if (reconciled === 'recreate') {
    // The role of a binding cannot be changed.
    await deleteInternally(resource, existing.metadata, { uid: existing.metadata.uid });
    return create(resource, object);
  }
  await update(resource, object);
}

async function create(resource: Resource, object: KubeObject): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  const decoded = resource.version(object.apiVersion)!.decode!(asJson(object));
  if ('error' in decoded) throw new Error(decoded.error);
  const { apiVersion, kind } = object;
  const write = internalWrite({ resource, namespace, name, manager: MANAGER });
  try {
    await createObject(write, { ...decoded.object, apiVersion, kind } as unknown as KubeObject, {});
  } catch (error) {
    // Another server that starts over the same storage has created it first.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
}

async function update(resource: Resource, expected: KubeObject): Promise<void> {
  const { name = '', namespace = '' } = expected.metadata;
  const write = internalWrite({ resource, namespace, name, manager: MANAGER });
  const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
    const reconciled = reconciledObject(live!, expected);
    return typeof reconciled === 'string' ? live! : recordOwnership(write, live, reconciled.update);
  };
  await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
}
