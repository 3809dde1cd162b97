// Events, in core v1 regardless of the group of the request. Events without eventTime are hardly validated;
// those with it are, most strictly through events.k8s.io.

import { nameIsDnsSubdomain, utf8Length, validateQualifiedName } from '@instar/go';
import {
  deepEqual,
  type FieldError,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';

export interface CoreEvent extends KubeObject {
  involvedObject: JsonObject;
  reason?: string;
  message?: string;
  source: JsonObject;
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  count?: number;
  type?: string;
  eventTime: string | null;
  series?: { count?: number; lastObservedTime?: string | null };
  action?: string;
  related?: JsonObject;
  reportingComponent: string;
  reportingInstance: string;
}

const CORE = 'v1';

export function validateEvent(event: CoreEvent, apiVersion: string): FieldError[] {
  const errors = validateLoosely(event, apiVersion);
  if (apiVersion === CORE) return errors;
  const unset = (
    name: 'firstTimestamp' | 'lastTimestamp' | 'count' | 'source',
    isUnset: boolean,
  ): FieldError[] => (isUnset ? [] : [fieldErrors.invalid(name, '', 'needs to be unset')]);
  return [
    ...errors,
    ...validateObjectMeta(event.metadata, true, nameIsDnsSubdomain),
    ...validateSeries(event),
    ...(event.eventTime === null ? [fieldErrors.required('eventTime')] : []),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [fieldErrors.invalid('type', '', `has invalid value: ${event.type ?? ''}`)]),
    ...unset('firstTimestamp', event.firstTimestamp === null || event.firstTimestamp === undefined),
    ...unset('lastTimestamp', event.lastTimestamp === null || event.lastTimestamp === undefined),
    ...unset('count', (event.count ?? 0) === 0),
    ...unset('source', Object.keys(event.source ?? {}).length === 0),
  ];
}

/** core name → the name under which a change is reported, in upstream's order. */
const FIXED: readonly (readonly [keyof CoreEvent & string, string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

export function validateEventUpdate(event: CoreEvent, old: CoreEvent, apiVersion: string): FieldError[] {
  const errors = validateLoosely(event, apiVersion);
  if (apiVersion === CORE) return errors;
  errors.push(...validateObjectMetaUpdate(event.metadata, old.metadata));
  if (!deepEqual(event.series as JsonValue, old.series as JsonValue)) errors.push(...validateSeries(event));
  for (const [name, shown] of FIXED) {
    const value = event[name] as JsonValue | undefined;
    if (!deepEqual(value, old[name] as JsonValue | undefined))
      errors.push(fieldErrors.invalid(shown, value ?? '', 'field is immutable'));
  }
  return errors;
}

function validateSeries({ series }: CoreEvent): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(fieldErrors.invalid('series.count', '', 'should be at least 2'));
  if ((series.lastObservedTime ?? null) === null)
    errors.push(fieldErrors.required('series.lastObservedTime'));
  return errors;
}

const NAMESPACE_FIELD = 'involvedObject.namespace';

/** The validation of every Event, in both groups. */
function validateLoosely(event: CoreEvent, apiVersion: string): FieldError[] {
  const about = String(event.involvedObject['namespace'] ?? '');
  const namespace = event.metadata.namespace ?? '';
  const elsewhere = [fieldErrors.invalid(NAMESPACE_FIELD, about, 'does not match event.namespace')];
  if (event.eventTime === null || event.eventTime === undefined) {
    return (about === '' ? ['', 'default'] : [about]).includes(namespace) ? [] : elsewhere;
  }
  const fits = about !== '' || namespace === 'default' || namespace === 'kube-system';
  return [...(fits ? [] : elsewhere), ...validateReport(event, apiVersion)];
}

function validateReport(event: CoreEvent, apiVersion: string): FieldError[] {
  const controllerField = apiVersion === CORE ? 'reportingComponent' : 'reportingController';
  const controller = event.reportingComponent;
  return [
    ...(controller === '' ? [fieldErrors.required(controllerField)] : []),
    ...validateQualifiedName(controller).map((reason) =>
      fieldErrors.invalid(controllerField, controller, reason),
    ),
    ...validateLength('reportingInstance', event.reportingInstance, 128, true),
    ...validateLength('action', event.action ?? '', 128, true),
    ...validateLength('reason', event.reason ?? '', 128, true),
    ...validateLength('message', event.message ?? '', 1024, false),
  ];
}

function validateLength(name: string, value: string, max: number, required: boolean): FieldError[] {
  if (value === '') return required ? [fieldErrors.required(name)] : [];
  return utf8Length(value) > max ? [fieldErrors.invalid(name, '', `can have at most ${max} characters`)] : [];
}
