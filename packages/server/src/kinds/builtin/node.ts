// v1 Node: a machine that runs pods. Nothing here runs them: a node is data that clients write.

import { goStruct } from '@instar/kinds';
import { type FieldError, isJsonObject, type JsonObject } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, metadataOf, nameColumn, wideColumn } from '../table/columns.ts';
import { objectsAt, textAt } from '../table/values.ts';
import { type Node, validateNode, validateNodeUpdate } from '../validate/node.ts';
import { proxyOf } from './proxies.ts';

/** The old field for one range and the list of ranges are kept the same, as upstream's conversion does. */
function matchPodCidrs(node: JsonObject): void {
  const { spec } = node as unknown as Node;
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  else if (podCIDR === '' && podCIDRs.length > 0) spec.podCIDR = podCIDRs[0]!;
  const { status } = node as unknown as Node;
  // Without a word of the kubelet, all of the capacity may be used.
  if (status.allocatable === undefined && status.capacity !== undefined)
    status.allocatable = { ...status.capacity };
}

function prepareForCreate({ spec, status }: Node): void {
  delete spec.configSource;
  delete status.config;
}

function prepareForUpdate(node: Node, old: Node, { subresource }: WriteContext): void {
  if (subresource === 'status') {
    node.spec = structuredClone(old.spec);
    if (old.status.config === undefined) delete node.status.config;
    return;
  }
  node.status = structuredClone(old.status);
  if (old.spec.configSource === undefined) delete node.spec.configSource;
}

function validateUpdate(node: Node, old: Node, { subresource }: WriteContext): FieldError[] {
  return [...(subresource === 'status' ? [] : validateNode(node)), ...validateNodeUpdate(node, old)];
}

function warningsOf({ spec }: Node): string[] {
  return (spec.externalID ?? '') === ''
    ? []
    : ['spec.externalID: this field is deprecated, and is unused by Kubernetes'];
}

function statusCell(node: JsonObject): string {
  const ready = objectsAt(node, 'status', 'conditions').findLast(({ type }) => type === 'Ready');
  const words = [ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'];
  if (textAt(node, ['spec', 'unschedulable']) === 'true') words.push('SchedulingDisabled');
  return words.join(',');
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

function rolesCell(node: JsonObject): string {
  const { labels } = metadataOf(node);
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(isJsonObject(labels) ? labels : {})) {
    if (key.startsWith(ROLE_PREFIX) && key !== ROLE_PREFIX) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL && value !== '') roles.add(String(value));
  }
  return [...roles].sort().join(',') || '<none>';
}

const addressCell = (wanted: string) => (node: JsonObject) =>
  String(objectsAt(node, 'status', 'addresses').find(({ type }) => type === wanted)?.['address'] ?? '<none>');

const infoOf = (node: JsonObject, name: string, otherwise: string): string =>
  textAt(node, ['status', 'nodeInfo', name]) || otherwise;

function kernelCell(node: JsonObject): string {
  const architecture = infoOf(node, 'architecture', '');
  return infoOf(node, 'kernelVersion', '<unknown>') + (architecture === '' ? '' : ` (${architecture})`);
}

export const nodes = defineKind({
  plural: 'nodes',
  kind: 'Node',
  shortNames: ['no'],
  namespaced: false,
  storagePath: 'minions/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.Node'),
      fillIn: matchPodCidrs,
      statusSubresource: true,
      subresources: [proxyOf('nodes', 'NodeProxyOptions')],
      columns: [
        nameColumn,
        column('Status', 'Whether it is ready, and whether pods may be scheduled on it.', statusCell),
        column('Roles', 'Its roles, of its labels.', rolesCell),
        ageColumn,
        column('Version', 'The version of its kubelet.', (node) => infoOf(node, 'kubeletVersion', '')),
        wideColumn('Internal-IP', 'Its address inside the cluster.', addressCell('InternalIP')),
        wideColumn('External-IP', 'Its address from outside.', addressCell('ExternalIP')),
        wideColumn('OS-Image', 'Its operating system.', (node) => infoOf(node, 'osImage', '<unknown>')),
        wideColumn('Kernel-Version', 'Its kernel.', kernelCell),
        wideColumn('Container-Runtime', 'What runs its containers.', (node) =>
          infoOf(node, 'containerRuntimeVersion', '<unknown>'),
        ),
      ],
      selectableFields: [
        { name: 'spec.unschedulable', value: (node) => textAt(node, ['spec', 'unschedulable'], 'false') },
      ],
    },
  ],
  strategy: {
    prepareForCreate: (node) => prepareForCreate(node as Node),
    prepareForUpdate: (node, old, context) => prepareForUpdate(node as Node, old as Node, context),
    validateCreate: (node) => validateNode(node as Node),
    validateUpdate: (node, old, context) => validateUpdate(node as Node, old as Node, context),
    warnings: (node) => warningsOf(node as Node),
    statusMayWriteMetadata: true,
  },
});
