import type { Handler } from './exchange.ts';
import { jsonResponse, methodNotAllowed } from './responses.ts';
import type { RouteTable } from './router.ts';

/** GET /: the paths of the routes and of what is served now. */
export function rootPaths(routes: RouteTable, served: () => readonly string[]): Handler {
  const fixed = Object.keys(routes).filter((path) => !path.endsWith('*') && !path.endsWith('/'));
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    return jsonResponse(200, { paths: [...new Set([...fixed, ...served()])].sort() });
  };
}
