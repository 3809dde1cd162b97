// HorizontalPodAutoscalers between autoscaling/v1 and v2 (stored). v1 has a field for the utilization of the
// CPU; everything else is in annotations there.
import type { ImmediateConverter } from '@instar/convert';
import { asJson, asKubeObject, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import type { Autoscaler, MetricSpec, MetricStatus } from '../../validate/autoscaling/autoscaler-types.ts';
import {
  BEHAVIOR,
  behaviorText,
  CONDITIONS,
  CURRENT_METRICS,
  dropOwnAnnotations,
  dropUselessAnnotations,
  listText,
  METRICS,
  readBehavior,
  readList,
} from './autoscaler-annotations.ts';
import { cpuMetric, DEFAULT_UTILIZATION, fillInBehavior } from './autoscaler-defaults.ts';
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './metric-conversion.ts';

export const V1 = 'autoscaling/v1';
export const V2 = 'autoscaling/v2';

interface AutoscalerV1 extends KubeObject {
  spec: Pick<Autoscaler['spec'], 'scaleTargetRef' | 'minReplicas' | 'maxReplicas'> & {
    targetCPUUtilizationPercentage?: number;
  };
  status: Pick<Autoscaler['status'], 'observedGeneration' | 'lastScaleTime' | 'desiredReplicas'> & {
    currentReplicas: number;
    currentCPUUtilizationPercentage?: number;
  };
}

const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;
const cpuUtilization = ({ type, resource }: MetricStatus): number | undefined =>
  type === 'Resource' && resource?.name === 'cpu' ? resource.current.averageUtilization : undefined;

function toV1({ metadata, spec, status }: Autoscaler): AutoscalerV1 {
  const currentMetrics = status.currentMetrics ?? [];
  return {
    apiVersion: V1,
    kind: 'HorizontalPodAutoscaler',
    metadata: annotated(metadata, { spec, status }),
    spec: withoutUndefined({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: (spec.metrics ?? []).find(isCpuUtilization)?.resource?.target
        .averageUtilization,
    }) as AutoscalerV1['spec'],
    status: withoutUndefined({
      observedGeneration: status.observedGeneration,
      lastScaleTime: status.lastScaleTime,
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas,
      currentCPUUtilizationPercentage: currentMetrics
        .map(cpuUtilization)
        .filter((value) => value !== undefined)
        .at(-1),
    }) as AutoscalerV1['status'],
  };
}

/** The metadata with what v1 has no fields for. */
function annotated(
  metadata: Autoscaler['metadata'],
  { spec, status }: Pick<Autoscaler, 'spec' | 'status'>,
): Autoscaler['metadata'] {
  const copy = { ...metadata };
  dropOwnAnnotations(copy);
  const added: Record<string, string> = {};
  const others = (spec.metrics ?? []).filter((metric) => !isCpuUtilization(metric));
  if (others.length > 0) added[METRICS] = listText(METRICS, others.map(metricToV1));
  const current = status.currentMetrics ?? [];
  if (current.length > 0) added[CURRENT_METRICS] = listText(CURRENT_METRICS, current.map(metricStatusToV1));
  if (spec.behavior !== undefined) added[BEHAVIOR] = behaviorText(spec.behavior);
  const conditions = (status.conditions ?? []) as JsonObject[];
  if (conditions.length > 0) added[CONDITIONS] = listText(CONDITIONS, conditions);
  if (Object.keys(added).length === 0) return copy;
  const all = { ...copy.annotations, ...added };
  copy.annotations = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  return copy;
}

/** As v2, without the defaults of v2: what validation of a request in v1 sees. */
function fromV1({ metadata, spec, status }: AutoscalerV1): Autoscaler {
  const copy = { ...metadata };
  dropOwnAnnotations(copy);
  const cpu = spec.targetCPUUtilizationPercentage;
  const metrics = [
    ...(readList(metadata, METRICS) ?? []).map(metricFromV1),
    ...(cpu === undefined ? [] : [cpuMetric(cpu)]),
  ];
  return {
    apiVersion: V2,
    kind: 'HorizontalPodAutoscaler',
    metadata: copy,
    spec: withoutUndefined({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      metrics: metrics.length > 0 ? metrics : [cpuMetric()],
      behavior: readBehavior(metadata),
    }) as Autoscaler['spec'],
    status: statusFromV1(metadata, status),
  };
}

function statusFromV1(
  metadata: Autoscaler['metadata'],
  status: AutoscalerV1['status'],
): Autoscaler['status'] {
  const averageUtilization = status.currentCPUUtilizationPercentage;
  const ofField: MetricStatus[] | null =
    averageUtilization === undefined
      ? null
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }];
  const conditions = readList(metadata, CONDITIONS);
  const current = readList(metadata, CURRENT_METRICS)?.map(metricStatusFromV1) ?? ofField;
  return withoutUndefined({
    observedGeneration: status.observedGeneration,
    lastScaleTime: status.lastScaleTime,
    // Omitted in v2 if it is 0.
    currentReplicas: status.currentReplicas || undefined,
    desiredReplicas: status.desiredReplicas,
    currentMetrics: current?.length === 0 ? null : current,
    conditions: conditions?.length === 0 ? undefined : (conditions as JsonValue[] | undefined),
  }) as Autoscaler['status'];
}

/** Objects of either version in the stored one. */
export const asV2 = (object: KubeObject): Autoscaler =>
  object.apiVersion === V1 ? fromV1(object as AutoscalerV1) : (object as Autoscaler);

/** Without any metric, there is one of the CPU, which shows in v1. */
export function fillInV1(object: JsonObject): void {
  const { metadata, spec } = object as unknown as AutoscalerV1;
  dropUselessAnnotations(metadata);
  spec.minReplicas ??= 1;
  if ((readList(metadata, METRICS) ?? []).length === 0)
    spec.targetCPUUtilizationPercentage ??= DEFAULT_UTILIZATION;
}

function convertNow(object: KubeObject, toApiVersion: string): KubeObject {
  if (object.apiVersion === toApiVersion) return object;
  if (toApiVersion === V1) return asKubeObject(asJson(toV1(object as Autoscaler)));
  const autoscaler = fromV1(object as AutoscalerV1);
  fillInBehavior(autoscaler.spec);
  return asKubeObject(asJson(autoscaler));
}

export const autoscalerConverter: ImmediateConverter = { convertNow };
