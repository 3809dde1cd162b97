// v1 Pod: containers that run together. Nothing runs them here; everything that the API server itself does
// with pods is done: defaults, validation, binding, eviction, grace periods.
import { goStruct } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import type { SelectableField } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import type { Pod } from '../validate/pod/pod-types.ts';
import { binding } from './pod/pod-binding.ts';
import { podColumns } from './pod/pod-columns.ts';
import { podConnections } from './pod/pod-connections.ts';
import { fillInPod } from './pod/pod-defaults.ts';
import { eviction } from './pod/pod-eviction.ts';
import { podStrategy } from './pod/pod-strategy.ts';

const selectable = (name: string, value: (pod: Pod) => string | undefined): SelectableField => ({
  name,
  value: (object: JsonObject) => value(object as unknown as Pod) ?? '',
});

export const pods = defineKind({
  plural: 'pods',
  kind: 'Pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'pods/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.Pod'),
      fillIn: fillInPod,
      statusSubresource: true,
      subresources: [
        binding,
        eviction,
        { style: 'view', name: 'ephemeralcontainers' },
        { style: 'view', name: 'resize' },
        ...podConnections,
      ],
      columns: podColumns,
      selectableFields: [
        selectable('spec.nodeName', ({ spec }) => spec.nodeName),
        selectable('spec.restartPolicy', ({ spec }) => spec.restartPolicy),
        selectable('spec.schedulerName', ({ spec }) => spec.schedulerName),
        selectable('spec.serviceAccountName', ({ spec }) => spec.serviceAccountName),
        selectable('spec.hostNetwork', ({ spec }) => String(spec.hostNetwork ?? false)),
        selectable('status.phase', ({ status }) => status?.phase),
        selectable('status.podIP', ({ status }) => status?.podIPs?.[0]?.ip),
        selectable('status.nominatedNodeName', ({ status }) => status?.nominatedNodeName),
      ],
    },
  ],
  strategy: podStrategy,
});
