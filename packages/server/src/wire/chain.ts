// Makes one handler of an array of filters; the first one runs first.
import type { Filter, Handler } from './exchange.ts';

export function chain(filters: readonly Filter[], last: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (request) => filter(request, next), last);
}
