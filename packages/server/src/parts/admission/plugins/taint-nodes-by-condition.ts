// TaintNodesByCondition: a new node is not ready, until a controller finds that it is.
import type { Node, Taint } from '../../../kinds/validate/node.ts';
import { isWholeCreate, type PluginDefinition } from './plugin.ts';

const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const taintNodesByCondition: PluginDefinition = {
  name: 'TaintNodesByCondition',
  make: () => ({
    resources: ['/nodes'],
    mutate(operation) {
      if (!isWholeCreate(operation)) return;
      const { spec } = operation.object as Node;
      const isTainted = (spec.taints ?? []).some(
        ({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect,
      );
      if (!isTainted) spec.taints = [...(spec.taints ?? []), { ...NOT_READY }];
    },
  }),
};
