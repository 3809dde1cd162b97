// Horizontal pod autoscalers (v2 and v1) and pod disruption budgets.
import { generation, lean, MERGE, names, owned, scene, spec, status } from './helpers/kinds.mjs';

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const cpu = (averageUtilization = 50) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

export async function autoscalersV2(t) {
  const h = await scene(
    t,
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    'conf-kinds-hpa2',
  );
  const v1 = (n) => `/apis/autoscaling/v1/namespaces/${h.ns}/horizontalpodautoscalers/${n}`;
  const hpa = (rest) => h.make('f', { spec: { scaleTargetRef: target, maxReplicas: 3, ...rest } });
  const metric = (...metrics) => hpa({ metrics });
  await h.create(
    'a minimal autoscaler',
    h.make('a', { spec: { scaleTargetRef: target, maxReplicas: 3 } }),
    (b) => b,
  );
  await h.create(
    'a full one',
    h.make('full', {
      spec: {
        scaleTargetRef: target,
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          cpu(),
          {
            type: 'Resource',
            resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
          },
          {
            type: 'Pods',
            pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '1k' } },
          },
          {
            type: 'Object',
            object: {
              describedObject: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'i' },
              metric: { name: 'hits' },
              target: { type: 'Value', value: '10k' },
            },
          },
          {
            type: 'External',
            external: {
              metric: { name: 'queue', selector: { matchLabels: { q: 'x' } } },
              target: { type: 'AverageValue', averageValue: '30' },
            },
          },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'cpu',
              container: 'c',
              target: { type: 'Utilization', averageUtilization: 60 },
            },
          },
        ],
        behavior: {
          scaleDown: {
            stabilizationWindowSeconds: 60,
            policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
          },
          scaleUp: { selectPolicy: 'Disabled' },
        },
      },
    }),
  );
  await h.tries([
    ['no metrics get cpu at 80', hpa({})],
    ['empty metrics', hpa({ metrics: [] })],
    ['empty behavior', hpa({ behavior: {} })],
    ['scale down alone', hpa({ behavior: { scaleDown: {} } })],
    ['no target', hpa({ scaleTargetRef: undefined })],
    ['a target without a kind', hpa({ scaleTargetRef: { name: 'd' } })],
    ['a target without a name', hpa({ scaleTargetRef: { kind: 'Deployment' } })],
    ['no maxReplicas', hpa({ maxReplicas: undefined })],
    ['max below min', hpa({ minReplicas: 5 })],
    ['min of 0', hpa({ minReplicas: 0 })],
    ['negative max', hpa({ maxReplicas: -1 })],
    ['an unknown metric type', metric({ type: 'Weather' })],
    ['a metric without its source', metric({ type: 'Pods' })],
    ['a metric with another source', metric({ type: 'Pods', resource: cpu().resource })],
    ['a utilization of 0', metric(cpu(0))],
    ['a resource without a target', metric({ type: 'Resource', resource: { name: 'cpu' } })],
    [
      'a resource with a value',
      metric({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Value', value: '1' } } }),
    ],
    [
      'two values',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5, averageValue: '1' } },
      }),
    ],
    [
      'pods without an average',
      metric({ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }),
    ],
    [
      'an unknown target type',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Some', averageUtilization: 5 } },
      }),
    ],
    ['a window too long', hpa({ behavior: { scaleUp: { stabilizationWindowSeconds: 3601 } } })],
    ['an unknown select policy', hpa({ behavior: { scaleUp: { selectPolicy: 'Any' } } })],
    [
      'a policy without a value',
      hpa({ behavior: { scaleUp: { policies: [{ type: 'Pods', periodSeconds: 5 }] } } }),
    ],
    [
      'an unknown policy type',
      hpa({ behavior: { scaleUp: { policies: [{ type: 'Money', value: 1, periodSeconds: 5 }] } } }),
    ],
    [
      'a policy period too long',
      hpa({ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] } } }),
    ],
    ['an unknown field', hpa({ targetCPUUtilizationPercentage: 5 })],
  ]);
  await t.step('the minimal one in v1', 'GET', v1('a'), { pick: lean });
  await t.step('the full one in v1', 'GET', v1('full'), {
    pick: (b) => ({ annotations: Object.keys(b.metadata.annotations ?? {}).sort(), spec: b.spec }),
  });
  await h.put(
    'may change',
    'a',
    (o) => {
      o.spec.maxReplicas = 7;
    },
    { pick: (b) => [b.metadata.generation ?? 'no generation', b.spec.maxReplicas] },
  );
  await h.patch('strategic: metrics are replaced', 'a', { spec: { metrics: [cpu(30)] } }, { pick: spec });
  await h.patch(
    'the target may change',
    'a',
    { spec: { scaleTargetRef: { name: 'e' } } },
    { type: MERGE, pick: spec },
  );
  await h.patch(
    'status',
    'a',
    {
      status: {
        currentReplicas: 1,
        desiredReplicas: 2,
        observedGeneration: 1,
        lastScaleTime: '2026-01-02T03:04:05Z',
        currentMetrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageUtilization: 20, averageValue: '100m' } },
          },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True' }],
      },
      spec: { maxReplicas: 99 },
    },
    { sub: 'status', type: MERGE, pick: (b) => [b.status, b.spec.maxReplicas] },
  );
  await h.patch(
    'a condition by strategic merge',
    'a',
    { status: { conditions: [{ type: 'ScalingActive', status: 'False' }] } },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await h.patch(
    'negative replicas',
    'a',
    { status: { desiredReplicas: -1 } },
    { sub: 'status', type: MERGE },
  );
  await h.table('as a table');
  await h.apply(
    'apply',
    'x',
    'alpha',
    h.make('x', { spec: { scaleTargetRef: target, maxReplicas: 3, metrics: [cpu()] } }),
    { pick: owned },
  );
  await h.apply('a conflict over atomic metrics', 'x', 'beta', h.make('x', { spec: { metrics: [cpu(1)] } }));
  await h.remove('delete', 'a');
}

export async function autoscalersV1(t) {
  const h = await scene(
    t,
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    'conf-kinds-hpa1',
  );
  const v2 = (n) => `/apis/autoscaling/v2/namespaces/${h.ns}/horizontalpodautoscalers/${n}`;
  await h.create(
    'a minimal autoscaler',
    h.make('a', { spec: { scaleTargetRef: target, maxReplicas: 3 } }),
    (b) => b,
  );
  await h.create(
    'with a percentage',
    h.make('b', {
      spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
    }),
  );
  await t.step('it in v2', 'GET', v2('b'), { pick: lean });
  await h.tries([
    [
      'a percentage of 0',
      h.make('f', { spec: { scaleTargetRef: target, maxReplicas: 3, targetCPUUtilizationPercentage: 0 } }),
    ],
    ['no target', h.make('f', { spec: { maxReplicas: 3 } })],
    [
      'metrics are unknown here',
      h.make('f', { spec: { scaleTargetRef: target, maxReplicas: 3, metrics: [] } }),
    ],
  ]);
  await t.setup('PATCH', v2('b'), {
    body: {
      spec: {
        metrics: [
          cpu(70),
          {
            type: 'Pods',
            pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '1' } },
          },
        ],
        behavior: { scaleUp: { stabilizationWindowSeconds: 5 } },
      },
    },
    type: MERGE,
  });
  await h.get('what v1 cannot hold is in annotations', 'b', (b) => [
    Object.keys(b.metadata.annotations ?? {}).sort(),
    b.spec,
  ]);
  await h.patch(
    'a change in v1 keeps it',
    'b',
    { spec: { maxReplicas: 4 } },
    { type: MERGE, pick: (b) => b.spec.maxReplicas },
  );
  await t.step('in v2 again', 'GET', v2('b'), {
    pick: (b) => [b.spec.metrics, b.spec.behavior, b.metadata.annotations ?? 'no annotations'],
  });
  await h.patch(
    'status',
    'a',
    { status: { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 5 } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await t.step('the status in v2', 'GET', v2('a'), { pick: status });
  await h.table('as a table');
  await t.step('a body of v2 at the path of v1', 'POST', h.all, {
    body: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'z' },
      spec: { scaleTargetRef: target, maxReplicas: 3 },
    },
  });
  await h.list('by name', '?fieldSelector=metadata.name%3Da');
  await t.step('deletecollection', 'DELETE', h.all, { pick: (b) => [b.kind, b.apiVersion, names(b)] });
}

export async function disruptionBudgets(t) {
  const p = await scene(t, 'policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'conf-kinds-pdb');
  const pdb = (rest) => p.make('f', { spec: { selector: { matchLabels: { app: 'a' } }, ...rest } });
  await p.create(
    'minAvailable',
    p.make('a', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } }),
    (b) => b,
  );
  await p.create(
    'maxUnavailable',
    p.make('b', {
      spec: {
        maxUnavailable: '50%',
        selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    }),
  );
  await p.tries([
    ['both', pdb({ minAvailable: 1, maxUnavailable: 1 })],
    ['neither', pdb({})],
    ['no selector', p.make('f', { spec: { minAvailable: 1 } })],
    ['an empty selector', p.make('f', { spec: { minAvailable: 1, selector: {} } })],
    ['no spec', p.make('f')],
    ['negative', pdb({ minAvailable: -1 })],
    ['a bad percentage', pdb({ minAvailable: 'half' })],
    ['above 100%', pdb({ maxUnavailable: '101%' })],
    [
      'a bad selector',
      pdb({ minAvailable: 1, selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    ],
    ['an unknown eviction policy', pdb({ minAvailable: 1, unhealthyPodEvictionPolicy: 'Sometimes' })],
    ['an unknown field', pdb({ minAvailable: 1, min: 1 })],
  ]);
  await p.put(
    'may change',
    'a',
    (o) => {
      o.spec.minAvailable = 2;
    },
    { pick: generation },
  );
  await p.patch(
    'from one to the other',
    'a',
    { spec: { minAvailable: null, maxUnavailable: 1 } },
    { type: MERGE, pick: generation },
  );
  await p.patch(
    'strategic: the selector is replaced',
    'a',
    { spec: { selector: { matchLabels: { app: 'b' } } } },
    { pick: spec },
  );
  await p.patch('both by a patch', 'a', { spec: { minAvailable: 1 } }, { type: MERGE });
  await p.put(
    'status',
    'a',
    (o) => {
      o.status = {
        observedGeneration: 3,
        disruptionsAllowed: 1,
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 3,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'True',
            reason: 'SufficientPods',
            message: '',
            lastTransitionTime: '2026-01-02T03:04:05Z',
          },
        ],
      };
      o.spec.maxUnavailable = 9;
    },
    { sub: 'status', pick: (b) => [b.status, b.spec.maxUnavailable, b.metadata.generation] },
  );
  await p.patch(
    'a condition by strategic merge',
    'a',
    {
      status: {
        conditions: [
          {
            type: 'X',
            status: 'True',
            reason: 'R',
            message: 'm',
            lastTransitionTime: '2026-01-02T03:04:05Z',
          },
        ],
      },
    },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await p.patch('a negative status', 'a', { status: { currentHealthy: -1 } }, { sub: 'status', type: MERGE });
  await p.table('as a table');
  await p.apply(
    'apply',
    'x',
    'alpha',
    p.make('x', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } }),
    { pick: owned },
  );
  await p.apply(
    'a conflict over an atomic selector',
    'x',
    'beta',
    p.make('x', { spec: { selector: { matchLabels: { app: 'b' } } } }),
  );
  await p.remove('delete', 'a');
}
