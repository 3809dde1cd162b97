// The columns of autoscalers, of which the targets are written as current/wanted.
import type { JsonObject } from '@instar/machinery';
import type { TableColumn } from '../../../objects/definition.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import type {
  Autoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValue,
} from '../../validate/autoscaling/autoscaler-types.ts';
import { asV2 } from './autoscaler-conversion.ts';

const MAX_SHOWN = 2;
const UNKNOWN = '<unknown>';

function targetsCell({ spec, status }: Autoscaler): string {
  const { metrics = [] } = spec;
  if (metrics.length === 0) return '<none>';
  const current = status.currentMetrics ?? [];
  const shown = metrics.slice(0, MAX_SHOWN).map((metric, index) => metricText(metric, current[index]));
  const more = metrics.length - shown.length;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external!.target, status?.external?.current);
    case 'Object':
      return valueText(metric.object!.target, status?.object?.current);
    case 'Pods': {
      const current = status?.pods === undefined ? UNKNOWN : (status.pods.current.averageValue ?? '<nil>');
      return `${current}/${metric.pods!.target.averageValue}`;
    }
    case 'Resource':
      return `${metric.resource!.name}: ${resourceText(metric.resource!.target, status?.resource?.current)}`;
    case 'ContainerResource': {
      const { name, target } = metric.containerResource!;
      return `${name}: ${resourceText(target, status?.containerResource?.current)}`;
    }
    default:
      return '<unknown type>';
  }
}

function valueText({ value, averageValue }: MetricTarget, current: MetricValue | undefined): string {
  if (averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
  return `${current === undefined ? UNKNOWN : (current.value ?? '<nil>')}/${value}`;
}

function resourceText(
  { averageValue, averageUtilization: wanted }: MetricTarget,
  current: MetricValue | undefined,
): string {
  if (averageValue !== undefined)
    return `${current === undefined ? UNKNOWN : (current.averageValue ?? '<nil>')}/${averageValue}`;
  const now = current?.averageUtilization;
  return `${now === undefined ? UNKNOWN : `${now}%`}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

const cellOf =
  (cell: (autoscaler: Autoscaler) => string | number): TableColumn['cell'] =>
  (object: JsonObject) =>
    cell(asV2(object as never));

export const autoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Reference',
    'What is scaled.',
    cellOf(({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`),
  ),
  column('Targets', 'What the metrics are and what they should be.', cellOf(targetsCell)),
  column(
    'MinPods',
    'The fewest pods.',
    cellOf(({ spec: { minReplicas } }) => (minReplicas === undefined ? '<unset>' : String(minReplicas))),
  ),
  column(
    'MaxPods',
    'The most pods.',
    cellOf(({ spec }) => spec.maxReplicas),
  ),
  column(
    'Replicas',
    'How many pods there are.',
    cellOf(({ status }) => status.currentReplicas ?? 0),
  ),
  ageColumn,
];
