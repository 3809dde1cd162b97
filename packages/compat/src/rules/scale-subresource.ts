// The scale subresource changed.

import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

const SCALE = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const PATHS = ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const;

export const scaleSubresource: VersionRule = {
  kind: 'version',
  id: 'scale-subresource',
  title: 'The scale subresource changed',
  severity: 'breaking',
  breaks: ['writers', 'readers'],
  keywords: ['subresources'],
  explanation:
    'Autoscalers, disruption budgets and kubectl scale use /scale. They fail without it, and read and write other fields if its paths change.',
  instead: 'Keep the paths in this version.',
  examples: [
    {
      title: 'removed',
      old: version({ subresources: { scale: SCALE } }),
      new: version({}),
      severity: 'breaking',
    },
    {
      title: 'another field',
      old: version({ subresources: { scale: SCALE } }),
      new: version({ subresources: { scale: { ...SCALE, specReplicasPath: '.spec.size' } } }),
      severity: 'breaking',
    },
    {
      title: 'introduced',
      old: version({}),
      new: version({ subresources: { scale: SCALE } }),
      severity: 'safe',
    },
    {
      title: 'a selector is added',
      old: version({ subresources: { scale: SCALE } }),
      new: version({ subresources: { scale: { ...SCALE, labelSelectorPath: '.status.selector' } } }),
      severity: 'safe',
    },
  ],
  compare: (old, next): Change[] => {
    const [was, is] = [old.subresources?.scale, next.subresources?.scale];
    if (is === undefined)
      return was === undefined ? [] : [{ severity: 'breaking', message: 'scale subresource removed' }];
    if (was === undefined) return [{ severity: 'safe', message: 'scale subresource added', breaks: [] }];
    return PATHS.filter((path) => was[path] !== is[path]).map((path) =>
      was[path] === undefined
        ? { severity: 'safe', message: `${path} added: ${is[path]}`, breaks: [] }
        : { severity: 'breaking', message: `${path} changed from ${was[path]} to ${is[path] ?? 'none'}` },
    );
  },
};

function version(more: object): JsonObject {
  return {
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more },
      ],
    },
  };
}
