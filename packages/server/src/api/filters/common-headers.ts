import type { Finisher } from '../../wire/exchange.ts';
import { auditIdOf } from '../audit/audit-record.ts';

/**
 * The headers that every response has: no caching, the id of the request (the client's own, if it sent one),
 * and how it was classified, unless it was refused before.
 */
export const addCommonHeaders: Finisher = (request, response) => {
  response.headers['audit-id'] ??= auditIdOf(request);
  response.headers['cache-control'] ??= 'no-cache, private';
  const { priority } = request;
  if (priority !== undefined) {
    response.headers['x-kubernetes-pf-flowschema-uid'] = priority.schemaUid;
    response.headers['x-kubernetes-pf-prioritylevel-uid'] = priority.levelUid;
  }
  return response;
};
