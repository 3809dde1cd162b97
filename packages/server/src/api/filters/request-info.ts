import type { Filter } from '../../wire/exchange.ts';
import { parseRequestInfo } from '../../wire/parse-request-info.ts';

/** Parses the request info, which the filters and handlers after it rely on. */
export const requestInfoFilter: Filter = (request, next) => {
  request.info = parseRequestInfo(request.method, request.path, () => request.query);
  return next(request);
};
