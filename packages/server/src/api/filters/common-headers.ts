import type { Finisher } from '../../wire/exchange.ts';
import { auditIdOf } from '../audit/audit-record.ts';

/**
 * The headers that every response has: no caching, and the id of the request (the client's own, if it sent
 * one).
 */
export const addCommonHeaders: Finisher = (request, response) => {
  response.headers['audit-id'] ??= auditIdOf(request);
  response.headers['cache-control'] ??= 'no-cache, private';
  return response;
};
