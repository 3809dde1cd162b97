import type { ImmediateConverter } from '@instar/convert';
import { describe, expect, it } from 'vitest';
import { Trial } from '../trial.ts';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler.ts';

const v1 = new Trial(horizontalPodAutoscalers, 'autoscaling/v1');
const v2 = new Trial(horizontalPodAutoscalers);
const { convertNow } = horizontalPodAutoscalers.converter as ImmediateConverter;
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const spec = { scaleTargetRef, maxReplicas: 3 };
const pods = {
  type: 'Pods',
  pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '2' } },
};
const faults = (rest: object) => v2.faults({ spec: { ...spec, ...rest } });

describe('autoscalers', () => {
  it('have a metric of the CPU by default', () => {
    expect(v2.create({ spec })['spec']).toMatchObject({
      minReplicas: 1,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    });
    expect(v1.create({ spec })['spec']).toMatchObject({ targetCPUUtilizationPercentage: 80 });
  });

  it('fill up the rules of scaling once there are any', () => {
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    expect(v2.create({ spec: { ...spec, behavior } })['spec']).toMatchObject({
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [{ type: 'Pods' }, { type: 'Percent' }],
        },
        scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [{ type: 'Percent' }] },
      },
    });
  });

  it('keep in annotations of v1 what v1 has no fields for', () => {
    const stored = v2.create({ spec: { ...spec, metrics: [pods], behavior: {} } });
    const old = convertNow(stored, 'autoscaling/v1');
    expect(old.metadata.annotations).toEqual({
      'autoscaling.alpha.kubernetes.io/behavior':
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"2"}}]',
    });
    expect(convertNow(old, 'autoscaling/v2')).toEqual(stored);
  });

  it('keep their conditions in a round trip through v1', () => {
    const stored = v2.create({ spec });
    stored['status'] = {
      currentReplicas: 1,
      desiredReplicas: 2,
      currentMetrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', current: { averageValue: '5m', averageUtilization: 40 } },
        },
      ],
      conditions: [
        { type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z', reason: '<R>' },
      ],
    };
    const old = convertNow(stored, 'autoscaling/v1');
    expect(old['status']).toMatchObject({ currentCPUUtilizationPercentage: 40, desiredReplicas: 2 });
    expect(convertNow(old, 'autoscaling/v2')).toEqual(stored);
  });

  it('ignore an annotation that does not have the form it must have', () => {
    const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': '{"not":"a list"}', other: 'x' };
    const old = v1.create({ metadata: { annotations }, spec });
    expect(convertNow(old, 'autoscaling/v2')).toMatchObject({
      metadata: { annotations: { other: 'x' } },
      spec: { metrics: [{ type: 'Resource' }] },
    });
  });

  it.each<[object, string[]]>([
    [{}, []],
    [
      { minReplicas: 0 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      { maxReplicas: 0 },
      [
        'spec.maxReplicas: Required value: must be set and greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      { scaleTargetRef: { kind: '', name: 'a/b' } },
      [
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Invalid value: "a/b": may not contain \'/\'',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [{ scaleTargetRef: { kind: 'ReplicationController', name: 'a', apiVersion: 'v1' } }, []],
    [
      { metrics: [{ type: 'Odd' }] },
      [
        'spec.metrics[0].type: Unsupported value: "Odd": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "Odd": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }] },
      [
        'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      ],
    ],
    [
      { metrics: [{ ...pods, type: 'Object' }] },
      ['spec.metrics[0].object: Required value: must populate information for the given metric source'],
    ],
    [
      { behavior: { scaleUp: { policies: [{ type: 'Odd', value: 0, periodSeconds: 1801 }] } } },
      [
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Odd": supported values: "Percent", "Pods"',
        'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
    ],
  ])('are validated with %j', (rest, expected) => {
    expect(faults(rest)).toEqual(expected);
  });

  it('write only the status of v1 through its subresource', () => {
    const body = { spec: { ...spec, maxReplicas: 9 }, status: { currentReplicas: 2, desiredReplicas: 2 } };
    const { object } = v1.update(body, { spec }, 'status');
    expect(object).toMatchObject({ spec: { maxReplicas: 3 }, status: { currentReplicas: 2 } });
  });

  it.each<[object[], string]>([
    [[pods], '<unknown>/2'],
    [[pods, pods, pods], '<unknown>/2, <unknown>/2 + 1 more...'],
    [[], 'cpu: <unknown>/80%'],
  ])('show the targets of %j', (metrics, cell) => {
    expect(v2.cells({ spec: { ...spec, metrics } }).slice(1, 3)).toEqual(['Deployment/d', cell]);
  });
});
