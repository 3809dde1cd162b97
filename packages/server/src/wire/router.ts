// Which handler answers a path that is not about a resource. Resource requests never come here.
import type { Handler } from './exchange.ts';
import { pageNotFound } from './responses.ts';

/**
 * Keys are whole paths, or prefixes that end in `*` ("/apis/*"); the longest prefix wins, and a whole path
 * wins over any prefix.
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
