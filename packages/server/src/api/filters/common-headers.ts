import type { Finisher } from '../../wire/exchange.ts';

/**
 * The headers that every answer carries: no caching, and the name of the request (the caller's own, if it
 * sent one).
 */
export const addCommonHeaders: Finisher = (request, response) => {
  const auditId = request.headers['audit-id'];
  response.headers['audit-id'] ??= typeof auditId === 'string' && auditId !== '' ? auditId : request.id;
  response.headers['cache-control'] ??= 'no-cache, private';
  return response;
};
