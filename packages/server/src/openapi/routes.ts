import type { RouteTable } from '../http/router.ts';
import type { ResourceRegistry } from '../resource/registry.ts';

export function openApiRoutes(_registry: ResourceRegistry): RouteTable {
  return {};
}
