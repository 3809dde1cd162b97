// What the handlers of writes share: from a scope to a write request, and from its outcome to an answer.
import { apiErrors } from '@instar/machinery';
import { managerFromUserAgent } from '@instar/ownership';
import { shapeObject } from '../../kinds/table/shape.ts';
import { encodeForClient } from '../../objects/cached-object.ts';
import type { Written } from '../../objects/write/create.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import type { Negotiated } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

export function writeRequest(
  scope: RequestScope,
  options: { dryRun: boolean; fieldManager?: string },
): WriteRequest {
  const { request, services } = scope;
  const agent = request.headers['user-agent'];
  return {
    resource: scope.resource,
    version: scope.version,
    namespace: scope.namespace,
    name: scope.name,
    subresource: scope.subresource as WriteRequest['subresource'],
    dryRun: options.dryRun,
    manager: options.fieldManager || managerFromUserAgent(typeof agent === 'string' ? agent : ''),
    user: request.user,
    now: services.now(),
    admission: services.admission,
    warnings: request.warnings,
    warn: (text) => request.warnings.push(text),
    waited: scope.waited,
    isAborted: () => request.signal.aborted,
  };
}

/** The object as it now is (or, after a dry run, would be) in the form that the client asked for. */
export async function answerWritten(
  scope: RequestScope,
  status: number,
  written: Written,
  negotiated: Negotiated,
): Promise<ApiResponse> {
  const { resource, version, request } = scope;
  const bytes =
    written.cached === undefined
      ? encodeForClient(written.object!)
      : await resource.form(written.cached, version, { waited: scope.waited });
  return shapeObject(status, bytes, version, negotiated, request);
}

export function requireName(scope: RequestScope): void {
  if (scope.name === '') throw apiErrors.badRequest('name must be provided');
}
