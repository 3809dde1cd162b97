import type { Filter } from '../exchange.ts';
import { parseRequestInfo } from '../parse-request-info.ts';

/** Reads what the request is about; everything further in relies on it. */
export const requestInfoFilter: Filter = (request, next) => {
  request.info = parseRequestInfo(request.method, request.path, () => request.query);
  return next(request);
};
