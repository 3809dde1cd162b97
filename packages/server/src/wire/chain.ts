// Filters in one array, first runs first, made into one handler.
import type { Filter, Handler } from './exchange.ts';

export function chain(filters: readonly Filter[], last: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (request) => filter(request, next), last);
}
