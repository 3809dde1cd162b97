import { asKubeObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import { scaleFrom, withReplicas } from './scale.ts';

const object = () =>
  asKubeObject({
    apiVersion: 'example.com/v1',
    kind: 'A',
    metadata: { name: 'a' },
    spec: { pods: { count: 2 } },
  });

it('changes only the replicas at the path of the definition', () => {
  const before = object();
  expect(withReplicas(before, '.spec.pods.count', 5)['spec']).toEqual({ pods: { count: 5 } });
  expect(withReplicas(before, '.spec.new.count', 5)['spec']).toEqual({
    pods: { count: 2 },
    new: { count: 5 },
  });
  expect(before).toEqual(object());
});

it('does not reach the prototype of the object, whatever the path', () => {
  for (const path of ['.spec.__proto__.replicas', '.spec.constructor.prototype.replicas']) {
    const after = withReplicas(object(), path, 5);
    expect(({} as Record<string, unknown>)['replicas']).toBeUndefined();
    expect(
      scaleFrom(after as never, { specReplicasPath: path, statusReplicasPath: '.status.n' }).scale.spec,
    ).toEqual({ replicas: 5 });
  }
});

it('reads the replicas, zero if they are missing', () => {
  const paths = {
    specReplicasPath: '.spec.pods.count',
    statusReplicasPath: '.status.count',
    labelSelectorPath: '.status.selector',
  };
  const { scale, hasReplicas } = scaleFrom(object() as never, paths);
  expect([scale.spec, scale.status, hasReplicas]).toEqual([{ replicas: 2 }, { replicas: 0 }, true]);
});

it('prints the selector of a kind with a Go type', () => {
  const paths = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.spec.selector',
  };
  const scaled = (selector: object, selectsByMap: boolean) =>
    scaleFrom(asKubeObject({ metadata: { name: 'a' }, spec: { selector } } as never) as never, {
      ...paths,
      selectsByMap,
    }).scale.status?.selector;
  expect(scaled({ matchExpressions: [{ key: 't', operator: 'NotIn', values: ['y', 'x'] }] }, false)).toBe(
    't notin (x,y)',
  );
  expect(scaled({ b: '2', a: '1' }, true)).toBe('a=1,b=2');
  expect(scaled({ matchExpressions: [{ key: 't', operator: 'Is' }] }, false)).toBeUndefined();
});
