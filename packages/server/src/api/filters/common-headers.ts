import type { Finisher } from '../../wire/exchange.ts';

/**
 * The headers that every response has: no caching, and the id of the request (the client's own, if it sent
 * one).
 */
export const addCommonHeaders: Finisher = (request, response) => {
  const auditId = request.headers['audit-id'];
  response.headers['audit-id'] ??= typeof auditId === 'string' && auditId !== '' ? auditId : request.id;
  response.headers['cache-control'] ??= 'no-cache, private';
  return response;
};
