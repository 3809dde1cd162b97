// Objects that the server creates and changes itself, as a controller does through the API: decoded with
// their defaults and with managedFields, but without webhooks, policies and quotas.
import { ApiError, asJson, asKubeObject, deepCopy, type KubeObject } from '@instar/machinery';
import type { VersionDefinition } from '../../objects/definition.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { createObject } from '../../objects/write/create.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import { checkNamespace } from '../admission/namespace-lifecycle.ts';
import { internalWrite } from '../controllers/internal-writes.ts';

/** The manager in managedFields of what controllers write. */
const CONTROLLER_MANAGER = 'kube-controller-manager';

interface Writer {
  readonly manager?: string;
  readonly subresource?: WriteRequest['subresource'];
}

/**
 * Creates an object unless it exists already, or its namespace does not or is being deleted: then it is no
 * longer needed.
 */
export async function createInternally(
  registry: ResourceRegistry,
  object: KubeObject,
  { manager = CONTROLLER_MANAGER }: Writer = {},
): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const { resource, version } = registry.findKind(apiVersion, kind)!;
  const namespaces = registry.get('', 'namespaces')!;
  const { namespace = '', name = '' } = metadata;
  const write: WriteRequest = {
    ...internalWrite({ resource, namespace, name, manager, version }),
    admission: {
      mutate: async (operation) => {
        await checkNamespace(operation, namespaces);
        return undefined;
      },
      validate: async () => {},
    },
  };
  try {
    await createObject(write, decoded(version, object), {});
  } catch (error) {
    if (!(error instanceof ApiError && isNotNeeded(error))) throw error;
  }
}

/** With defaults, and without empty fields. */
function decoded(version: VersionDefinition, object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const result = version.decode!(asJson(object));
  if ('error' in result) throw new Error(result.error);
  return asKubeObject({ ...result.object, apiVersion, kind });
}

const isNotNeeded = ({ reason, status }: ApiError): boolean =>
  reason === 'AlreadyExists' ||
  (reason === 'NotFound' && status.details?.kind === 'namespaces') ||
  (status.details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');

/**
 * Changes an object that exists; nothing is written if `change` changes nothing, or the object is gone. It
 * may be called several times.
 */
export async function changeInternally(
  resource: Resource,
  { namespace, name }: { namespace: string; name: string },
  change: (object: KubeObject) => void,
  { manager = CONTROLLER_MANAGER, subresource = '' }: Writer = {},
): Promise<void> {
  const write = internalWrite({ resource, namespace, name, manager, subresource });
  const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
    const copy = asKubeObject(deepCopy(asJson(live!)));
    change(copy);
    return recordOwnership(write, live, decoded(write.version, copy));
  };
  await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
}

/** The object in the cache, for the caller to read and change. */
export function readCached<T extends KubeObject>(
  resource: Resource,
  { namespace, name }: { namespace: string; name: string },
): T | undefined {
  return resource.cache.get(resource.key(namespace, name))?.parse() as T | undefined;
}
