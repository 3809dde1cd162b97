// Defaults of autoscaling/v2: one metric, and rules of scaling that are filled up once there are any.
import type { JsonObject } from '@instar/machinery';
import type { Autoscaler, MetricSpec, ScalingRules } from '../../validate/autoscaling/autoscaler-types.ts';
import { dropOwnAnnotations } from './autoscaler-annotations.ts';

export const DEFAULT_UTILIZATION = 80;

export const cpuMetric = (averageUtilization = DEFAULT_UTILIZATION): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const scaleUp = (): ScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});
const scaleDown = (): ScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

export function fillInAutoscaler(object: JsonObject): void {
  const { metadata, spec } = object as unknown as Autoscaler;
  dropOwnAnnotations(metadata);
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric()];
  fillInBehavior(spec);
}

export function fillInBehavior(spec: Autoscaler['spec']): void {
  const { behavior } = spec;
  if (behavior === undefined) return;
  behavior.scaleUp = { ...scaleUp(), ...behavior.scaleUp };
  behavior.scaleDown = { ...scaleDown(), ...behavior.scaleDown };
}
