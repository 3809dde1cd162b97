// ExtendedResourceToleration: pods that ask for a device tolerate the taint of nodes that are kept for it.
import { validateQualifiedName } from '@instar/go';
import { isWholeWrite, type PluginDefinition } from './plugin.ts';

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  tolerations?: Toleration[];
}

interface Container {
  resources?: { requests?: Record<string, string> };
}

export const extendedResourceToleration: PluginDefinition = {
  name: 'ExtendedResourceToleration',
  make: () => ({
    resources: ['/pods'],
    mutate(operation) {
      if (!isWholeWrite(operation)) return;
      const { spec } = operation.object as unknown as { spec: PodSpec };
      const requested = [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
        Object.keys(resources?.requests ?? {}).filter(isExtended),
      );
      for (const key of [...new Set(requested)].sort()) tolerate(spec, key);
    },
  }),
};

/** Of a domain that is not Kubernetes' own. */
const isExtended = (name: string): boolean =>
  name.includes('/') &&
  !name.includes('kubernetes.io/') &&
  !name.startsWith('requests.') &&
  validateQualifiedName(`requests.${name}`).length === 0;

function tolerate(spec: PodSpec, key: string): void {
  const toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const given = spec.tolerations ?? [];
  const same = given.findIndex(
    (each) =>
      each.key === key &&
      each.effect === 'NoSchedule' &&
      each.operator === 'Exists' &&
      (each.value ?? '') === '',
  );
  if (same < 0) spec.tolerations = [...given, toleration];
  else given[same] = toleration;
}
