// Records a request in the table of clients. One lookup per request, since it is on the path of every read.
import type { RequestScope } from '../../api/handlers/request-scope.ts';
import { crdNameOf } from './custom-definitions.ts';
import type { VersionClient, VersionClients } from './version-clients.ts';

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

export function recordUse(
  clients: VersionClients,
  { request, resource, version, services }: RequestScope,
): VersionClient {
  const agent = request.headers['user-agent'];
  const userAgent = typeof agent === 'string' ? agent : '';
  const use = { crd: crdNameOf(resource), version: version.version, user: request.user.name, userAgent };
  return clients.record(use, WRITES.has(request.info.verb), services.now());
}
