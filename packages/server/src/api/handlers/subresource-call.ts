// What the subresources that kinds declare may do: read objects, change the one they belong to, delete it.
import type { KubeObject } from '@instar/machinery';
import { readObject } from '../../objects/forms/read-forms.ts';
import type { Resource } from '../../objects/resource.ts';
import type { CreateCall, SubresourceCall } from '../../objects/subresource.ts';
import { amendObject } from '../../objects/write/amend.ts';
import { deleteObject } from '../../objects/write/delete.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { Admission, WriteRequest } from '../../objects/write/write-request.ts';
import type { RequestScope } from './request-scope.ts';

const NO_ADMISSION: Admission = { mutate: async () => undefined, validate: async () => {} };
const OWN_USER = { name: 'system:apiserver', groups: ['system:masters'] };
const OWN_MANAGER = 'kube-apiserver';

export function subresourceCall({
  request,
  resource,
  version,
  namespace,
  name,
  services,
}: RequestScope): SubresourceCall {
  return {
    request,
    namespace,
    name,
    async read() {
      await resource.cache.waitUntilFresh();
      const cached = resource.cache.get(resource.key(namespace, name));
      if (cached === undefined) throw resource.notFound(name);
      return readObject(resource.forms, cached, version);
    },
    async find(group, plural, inNamespace, ofName) {
      const other = services.registry.get(group, plural);
      await other?.cache.waitUntilFresh();
      return other?.cache.get(other.key(inNamespace, ofName))?.parse();
    },
  };
}

export function createCall(
  scope: RequestScope,
  write: WriteRequest,
  object: KubeObject,
  admit: () => Promise<void>,
): CreateCall {
  const { services, namespace } = scope;
  const own: WriteRequest = { ...write, subresource: '', admission: NO_ADMISSION };
  const other = (group: string, plural: string): Resource | undefined => services.registry.get(group, plural);
  return {
    ...subresourceCall(scope),
    object,
    dryRun: write.dryRun,
    now: timestamp(write.now),
    admit,
    amend: (change, expected) => amendObject(own, change, expected),
    async remove({ uid, resourceVersion, gracePeriodSeconds, propagationPolicy, orphanDependents }, dryRun) {
      await deleteObject(
        { ...own, dryRun },
        { dryRun, uid, resourceVersion, gracePeriodSeconds, propagationPolicy, orphanDependents },
      );
    },
    async list(group, plural) {
      const resource = other(group, plural);
      if (resource === undefined) return [];
      await resource.cache.waitUntilFresh();
      const prefix = resource.prefixOf(namespace);
      return [...resource.cache.values()]
        .filter(({ key }) => key.startsWith(prefix))
        .map((one) => one.parse());
    },
    async updateStatus(group, plural, next) {
      const resource = other(group, plural)!;
      await updateObject(statusWrite(own, resource, next), {
        next: async (live) => recordOwnership(statusWrite(own, resource, next), live, structuredClone(next)),
        mayCreate: false,
        options: {},
      });
    },
  };
}

function statusWrite(
  own: WriteRequest,
  resource: Resource,
  { metadata, apiVersion }: KubeObject,
): WriteRequest {
  return {
    ...own,
    resource,
    version: resource.version(apiVersion)!,
    name: metadata.name!,
    subresource: 'status',
    manager: OWN_MANAGER,
    user: OWN_USER,
  };
}
