// Finds the handler of a non-resource path. Resource requests are dispatched elsewhere.
import type { Handler } from './exchange.ts';
import { pageNotFound } from './responses.ts';

/**
 * Keys are whole paths, or prefixes that end in `*` ("/apis/*"). A whole path wins over any prefix, and a
 * longer prefix over a shorter one.
 */
export type RouteTable = Readonly<Record<string, Handler>>;

export function routePaths(routes: RouteTable): Handler {
  const exact = new Map(Object.entries(routes).filter(([path]) => !path.endsWith('*')));
  const prefixes = Object.entries(routes)
    .filter(([path]) => path.endsWith('*'))
    .map(([path, handler]) => [path.slice(0, -1), handler] as const)
    .sort(([a], [b]) => b.length - a.length);
  return (request) => {
    const handler =
      exact.get(request.path) ?? prefixes.find(([prefix]) => request.path.startsWith(prefix))?.[1];
    return handler === undefined ? Promise.resolve(pageNotFound()) : handler(request);
  };
}
