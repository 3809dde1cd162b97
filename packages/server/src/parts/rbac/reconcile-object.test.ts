import type { KubeObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import { reconciledObject } from './reconcile-object.ts';

const rule = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: [''], resources });
const role = (rules: object[], metadata: object = {}, more: object = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', ...metadata },
    rules,
    ...more,
  }) as KubeObject;
const binding = (subjects: object[], name = 'r'): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'b', labels: {}, annotations: {} },
    subjects,
    roleRef: { apiGroup: 'g', kind: 'ClusterRole', name },
  }) as unknown as KubeObject;
const updated = (existing: KubeObject, expected: KubeObject): KubeObject => {
  const reconciled = reconciledObject(existing, expected);
  if (typeof reconciled === 'string') throw new Error(reconciled);
  return reconciled.update;
};
const AUTO = 'rbac.authorization.kubernetes.io/autoupdate';

it('adds the permissions that are missing and keeps those that users added', () => {
  const next = updated(role([rule(['get', 'fly'], ['pods'])]), role([rule(['get', 'list'], ['pods'])]));
  expect(next['rules']).toEqual([rule(['get', 'fly'], ['pods']), rule(['list'], ['pods'])]);
});

it('adds labels, but does not overwrite them', () => {
  const next = updated(role([], { labels: { a: 'mine' } }), role([], { labels: { a: 'ours', b: 'ours' } }));
  expect(next.metadata.labels).toEqual({ a: 'mine', b: 'ours' });
});

it('leaves an object alone that opts out', () => {
  expect(reconciledObject(role([], { annotations: { [AUTO]: 'false' } }), role([rule(['get'], ['x'])]))).toBe(
    'unchanged',
  );
});

it('changes nothing if nothing is missing', () => {
  const both = role([rule(['*'], ['*'])], { labels: {}, annotations: {} });
  expect(reconciledObject(both, both)).toBe('unchanged');
});

it('restores the selectors of an aggregated role', () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  expect(updated(role([]), role([], {}, { aggregationRule }))['aggregationRule']).toEqual(aggregationRule);
});

it('adds the subjects that are missing', () => {
  const [a, b] = [
    { kind: 'User', name: 'a' },
    { kind: 'User', name: 'b' },
  ];
  expect(updated(binding([a!]), binding([b!]))['subjects']).toEqual([a, b]);
});

it('recreates a binding to another role', () => {
  expect(reconciledObject(binding([], 'other'), binding([]))).toBe('recreate');
});
