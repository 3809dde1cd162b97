// The metrics of autoscalers between v2 and the form that annotations of v1 have.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValue,
  ObjectTarget,
} from '../../validate/autoscaling/autoscaler-types.ts';

/** Members that are undefined are left out: annotations and stored objects have none. */
function defined(object: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

const ZERO = '0';
const text = (value: JsonValue | undefined): string | undefined => value as string | undefined;
const number = (value: JsonValue | undefined): number | undefined => value as number | undefined;
const part = (object: JsonObject, name: string): JsonObject | undefined =>
  object[name] as JsonObject | undefined;

const identifierOf = (name: JsonValue | undefined, selector: JsonValue | undefined): MetricIdentifier =>
  defined({ name, selector }) as unknown as MetricIdentifier;
const targetOf = (target: { [name in keyof MetricTarget]: MetricTarget[name] | undefined }): MetricTarget =>
  defined(target) as unknown as MetricTarget;
const metricValue = (value: { [name in keyof MetricValue]?: MetricValue[name] | undefined }): MetricValue =>
  defined(value) as MetricValue;

export function metricToV1({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricSpec): JsonObject {
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? ZERO,
      ...defined({ selector: object.metric.selector, averageValue: object.target.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? ZERO,
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...resourceTarget(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      ...resourceTarget(containerResource.target),
    },
    external:
      external &&
      defined({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  });
}

const resourceTarget = ({ averageUtilization, averageValue }: MetricTarget): JsonObject =>
  defined({ targetAverageUtilization: averageUtilization, targetAverageValue: averageValue });

export function metricFromV1(metric: JsonObject): MetricSpec {
  const [object, pods, external] = [part(metric, 'object'), part(metric, 'pods'), part(metric, 'external')];
  const [resource, container] = [part(metric, 'resource'), part(metric, 'containerResource')];
  return defined({
    type: metric['type'],
    object: object && {
      describedObject: object['target'] as unknown as ObjectTarget,
      target: objectTarget(text(object['targetValue']), text(object['averageValue'])),
      metric: identifierOf(object['metricName'], object['selector']),
    },
    pods: pods && {
      metric: identifierOf(pods['metricName'], pods['selector']),
      target: { type: 'AverageValue', averageValue: pods['targetAverageValue'] },
    },
    resource: resource && { name: resource['name'], target: targetFromResource(resource) },
    containerResource: container && {
      name: container['name'],
      target: targetFromResource(container),
      container: container['container'],
    },
    external: external && {
      metric: identifierOf(external['metricName'], external['metricSelector']),
      target: targetOf({
        type: external['targetValue'] === undefined ? 'AverageValue' : 'Value',
        value: text(external['targetValue']),
        averageValue: text(external['targetAverageValue']),
      }),
    },
  }) as unknown as MetricSpec;
}

/** v1 cannot omit the value: 0 beside an average is none. */
function objectTarget(value: string | undefined, averageValue: string | undefined): MetricTarget {
  if (averageValue === undefined)
    return targetOf({ type: 'Value', value, averageValue, averageUtilization: undefined });
  return targetOf({
    type: 'AverageValue',
    value: value === ZERO ? undefined : value,
    averageValue,
    averageUtilization: undefined,
  });
}

function targetFromResource(resource: JsonObject): MetricTarget {
  const averageUtilization = number(resource['targetAverageUtilization']);
  return targetOf({
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    value: undefined,
    averageValue: text(resource['targetAverageValue']),
    averageUtilization,
  });
}

export function metricStatusToV1(status: MetricStatus): JsonObject {
  const { type, object, pods, resource, containerResource, external } = status;
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? ZERO,
      ...defined({ selector: object.metric.selector, averageValue: object.current.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? ZERO,
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...resourceValue(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...resourceValue(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      currentValue: external.current.value ?? ZERO,
      ...defined({
        metricSelector: external.metric.selector,
        currentAverageValue: external.current.averageValue,
      }),
    },
  });
}

const resourceValue = ({ averageUtilization, averageValue }: MetricValue): JsonObject =>
  defined({ currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? ZERO });

export function metricStatusFromV1(status: JsonObject): MetricStatus {
  const [object, pods, external] = [part(status, 'object'), part(status, 'pods'), part(status, 'external')];
  const [resource, container] = [part(status, 'resource'), part(status, 'containerResource')];
  return defined({
    type: status['type'],
    object: object && {
      metric: identifierOf(object['metricName'], object['selector']),
      current: metricValue({
        value: text(object['currentValue']),
        averageValue: text(object['averageValue']),
      }),
      describedObject: object['target'],
    },
    pods: pods && {
      metric: identifierOf(pods['metricName'], pods['selector']),
      current: { averageValue: pods['currentAverageValue'] },
    },
    resource: resource && { name: resource['name'], current: valueFromResource(resource) },
    containerResource: container && {
      name: container['name'],
      current: valueFromResource(container),
      container: container['container'],
    },
    external: external && {
      metric: identifierOf(external['metricName'], external['metricSelector']),
      current: metricValue({
        value: text(external['currentValue']),
        averageValue: text(external['currentAverageValue']),
      }),
    },
  }) as unknown as MetricStatus;
}

const valueFromResource = (resource: JsonObject): MetricValue =>
  metricValue({
    averageValue: text(resource['currentAverageValue']),
    averageUtilization: number(resource['currentAverageUtilization']),
  });
