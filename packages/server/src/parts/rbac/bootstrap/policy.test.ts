import { describe, expect, it } from 'vitest';
import { bootstrapPolicy } from './policy.ts';

const named = (plural: string): string[] =>
  bootstrapPolicy()
    .filter((entry) => entry.plural === plural)
    .map(({ object }) => object.metadata.name!);

describe('the bootstrap policy', () => {
  it.each([
    ['clusterroles', 69],
    ['clusterrolebindings', 50],
    ['roles', 7],
    ['rolebindings', 7],
  ])('has as many %s as kube-apiserver 1.36', (plural, count) => {
    expect(named(plural)).toHaveLength(count);
  });

  it('binds only roles that it has', () => {
    const roles = new Set([...named('clusterroles'), ...named('roles')]);
    const bound = bootstrapPolicy().flatMap(({ object }) => {
      const ref = object['roleRef'] as { name: string } | undefined;
      return ref === undefined ? [] : [ref.name];
    });
    expect(bound.filter((name) => !roles.has(name))).toEqual([]);
  });

  it('gives anonymous users health and version only', () => {
    const role = bootstrapPolicy().find(({ object }) => object.metadata.name === 'system:public-info-viewer');
    expect(role?.object['rules']).toEqual([
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
    ]);
  });

  it('leaves the rules of an aggregated role to aggregation', () => {
    const view = bootstrapPolicy().find(({ object }) => object.metadata.name === 'view')!.object;
    expect(view['rules']).toBeNull();
    expect(view['aggregationRule']).toEqual({
      clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
    });
  });
});
