import { expect, it } from 'vitest';
import { namespaceConditions, type RemainingContent } from './namespace-conditions.ts';

const nothing: RemainingContent = { resources: new Map(), finalizers: new Map(), failures: [] };
const stuck: RemainingContent = {
  resources: new Map([
    ['widgets.example.com', 1],
    ['configmaps.', 2],
  ]),
  finalizers: new Map([['example.com/hold', 3]]),
  failures: ['b', 'a'],
};

it('report what remains, its finalizers and what failed', () => {
  const messages = namespaceConditions([], stuck, 'now').map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  );
  expect(messages).toEqual([
    'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a, b',
    'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances, widgets.example.com has 1 resource instances',
    'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 3 resource instances',
  ]);
});

it('keep conditions that have not changed as they are', () => {
  const other = { type: 'Mine', status: 'True' };
  const first = namespaceConditions([other], stuck, 'then');
  const second = namespaceConditions(first, { ...nothing, resources: stuck.resources }, 'now');
  expect(second.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
    ['Mine', undefined],
    ['NamespaceDeletionDiscoveryFailure', 'then'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'then'],
    ['NamespaceDeletionContentFailure', 'now'],
    ['NamespaceContentRemaining', 'then'],
    ['NamespaceFinalizersRemaining', 'now'],
  ]);
});
