// pods/binding: gives a pod its node. Bindings may be posted to a collection of their own as well.
import { goStruct } from '@instar/kinds';
import {
  aggregateMessage,
  apiErrors,
  type FieldError,
  fieldErrors,
  type KubeObject,
  type Status,
} from '@instar/machinery';
import type { CreateCall, DeclaredSubresource } from '../../../objects/subresource.ts';
import type { AliasResource } from '../../../objects/virtual-resource.ts';
import type { Pod } from '../../validate/pod/pod-types.ts';
import { setCondition } from './pod-conditions.ts';

interface Binding extends KubeObject {
  target: { kind?: string; name?: string };
}

export const SUCCESS: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

async function bind(call: CreateCall): Promise<Status> {
  const { metadata, target = {} } = call.object as Binding;
  if (metadata.name !== call.name)
    throw apiErrors.badRequest('name in URL does not match name in Binding object');
  const errors = validateTarget(target);
  // As upstream, which answers errors without a Status of their own with 500.
  if (errors.length > 0) throw apiErrors.raw({ code: 500, message: aggregateMessage(errors) });
  await call.admit();
  await call.amend((object) => bound(call, object as Pod), {
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  });
  return SUCCESS;
}

function validateTarget({ kind = '', name = '' }: Binding['target']): FieldError[] {
  return [
    ...(kind === '' || kind === 'Node'
      ? []
      : [fieldErrors.notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [fieldErrors.required('target.name')] : []),
  ];
}

function bound({ object, now }: CreateCall, pod: Pod): Pod {
  const { metadata, target } = object as Binding;
  const refuse = (why: string) =>
    apiErrors.conflict(
      { group: '', resource: 'pods/binding' },
      metadata.name!,
      `pod ${metadata.name} ${why}`,
    );
  if (pod.metadata.deletionTimestamp != null) throw refuse('is being deleted, cannot be assigned to a host');
  if (pod.spec.nodeName) throw refuse(`is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  if ((pod.spec.schedulingGates ?? []).length > 0) throw refuse('has non-empty .spec.schedulingGates');
  pod.spec.nodeName = target.name!;
  delete pod.status.nominatedNodeName;
  for (const field of ['annotations', 'labels'] as const)
    if (metadata[field] !== undefined) pod.metadata[field] = { ...pod.metadata[field], ...metadata[field] };
  setCondition(pod.status, { type: 'PodScheduled', status: 'True' }, now);
  return pod;
}

export const binding: DeclaredSubresource = {
  style: 'create',
  name: 'binding',
  kind: { group: '', version: 'v1', kind: 'Binding' },
  type: goStruct('core/v1.Binding'),
  create: bind,
};

export const bindings: AliasResource = {
  group: '',
  version: 'v1',
  resource: 'bindings',
  singular: 'binding',
  kind: 'Binding',
  namespaced: true,
  verbs: ['create'],
  aliasOf: { resource: 'pods', subresource: 'binding' },
};
