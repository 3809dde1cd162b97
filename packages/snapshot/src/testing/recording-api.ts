// A client that records what is requested of the API, in the words of RBAC.
import type { KubeApi, KubeClient, ResourceRef } from '@instar/client';

export interface RecordedRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  /** Absent where RBAC has no name: create, list, watch. */
  readonly name?: string;
}

export function recording(client: KubeClient): { readonly api: KubeApi; readonly asked: RecordedRequest[] } {
  const asked: RecordedRequest[] = [];
  const note = (verb: string, { group, resource, namespace, name }: ResourceRef, named: boolean): void => {
    asked.push({
      verb,
      group,
      resource,
      ...(namespace !== undefined && { namespace }),
      ...(named && name !== undefined && { name }),
    });
  };
  const api: KubeApi = {
    namespace: client.namespace,
    request: (request) => client.request(request),
    get: (ref, options) => {
      note('get', ref, true);
      return client.get(ref, options);
    },
    list: (ref, options) => {
      note('list', ref, false);
      return client.list(ref, options);
    },
    pages: (ref, options) => {
      note('list', ref, false);
      return client.pages(ref, options);
    },
    watch: (ref, options) => {
      note('watch', ref, false);
      return client.watch(ref, options);
    },
    create: (ref, object, options) => {
      note('create', ref, false);
      return client.create(ref, object, options);
    },
    replace: (ref, object, options) => {
      note('update', ref, true);
      return client.replace(ref, object, options);
    },
    delete: (ref, options) => {
      note('delete', ref, true);
      return client.delete(ref, options);
    },
    discover: (options) => client.discover(options),
    resourceOfKind: (kind, options) => client.resourceOfKind(kind, options),
    findResource: (name, options) => client.findResource(name, options),
    close: () => client.close(),
    patch(ref, patch, options) {
      note('patch', ref, true);
      // An apply may create, so the API server also asks whether that is allowed.
      if (options.type === 'apply') note('create', ref, false);
      return client.patch(ref, patch, options);
    },
  };
  return { api, asked };
}
