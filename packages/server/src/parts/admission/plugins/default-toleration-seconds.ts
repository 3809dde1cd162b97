// DefaultTolerationSeconds: pods stay on a node that is not ready or unreachable for five minutes, unless
// they say otherwise.
import type { Pod, Toleration } from '../../../kinds/validate/pod/pod-types.ts';
import { isWholeWrite, type PluginDefinition } from './plugin.ts';

const SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

export const defaultTolerationSeconds: PluginDefinition = {
  name: 'DefaultTolerationSeconds',
  make: () => ({
    resources: ['/pods'],
    mutate(operation) {
      if (!isWholeWrite(operation)) return;
      const { spec } = operation.object as Pod;
      const given = spec.tolerations ?? [];
      const missing = TAINTS.filter((key) => !given.some((toleration) => tolerates(toleration, key)));
      if (missing.length > 0) spec.tolerations = [...given, ...missing.map(toleration)];
    },
  }),
};

const tolerates = ({ key = '', effect = '' }: Toleration, taint: string): boolean =>
  (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');

const toleration = (key: string): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: SECONDS,
});
