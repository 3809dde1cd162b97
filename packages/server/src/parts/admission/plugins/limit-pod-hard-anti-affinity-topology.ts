// LimitPodHardAntiAffinityTopology: pods may keep others off their node, but not off a whole zone.
import { denied, isWholeWrite, type PluginDefinition } from './plugin.ts';

const HOST = 'kubernetes.io/hostname';

interface Pod {
  spec: {
    affinity?: {
      podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { topologyKey: string }[] };
    };
  };
}

export const limitPodHardAntiAffinityTopology: PluginDefinition = {
  name: 'LimitPodHardAntiAffinityTopology',
  make: () => ({
    resources: ['/pods'],
    validate(operation) {
      if (!isWholeWrite(operation)) return;
      const { affinity } = (operation.object as unknown as Pod).spec;
      const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const other = terms.find(({ topologyKey }) => topologyKey !== HOST);
      if (other !== undefined)
        throw denied(
          operation,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${HOST} is allowed`,
        );
    },
  }),
};
