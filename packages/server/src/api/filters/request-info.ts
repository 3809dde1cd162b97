import type { Filter } from '../../wire/exchange.ts';
import { parseRequestInfo } from '../../wire/parse-request-info.ts';

/** Reads what the request is about; everything further in relies on it. */
export const requestInfoFilter: Filter = (request, next) => {
  request.info = parseRequestInfo(request.method, request.path, () => request.query);
  return next(request);
};
