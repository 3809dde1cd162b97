import type { ResourceRegistry } from '../objects/registry.ts';

const WITHOUT_OBJECTS: ReadonlySet<string> = new Set(['', 'authentication.k8s.io', 'authorization.k8s.io']);

/** Whether upstream serves the group with Go types: what it does not have is then answered with a Status. */
export function isTypedGroup(registry: ResourceRegistry, group: string): boolean {
  if (WITHOUT_OBJECTS.has(group)) return true;
  for (const { definition } of registry.all())
    if (definition.typed && definition.versions.some((served) => served.group === group)) return true;
  return false;
}
