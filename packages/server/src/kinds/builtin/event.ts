// Event: what happened to an object. Served in the core group and in events.k8s.io over one stored object,
// and deleted after an hour.

import { field, int32, microTime, pointer, required, string, struct, time } from '@instar/kinds';
import { asJson, isJsonObject, type JsonObject } from '@instar/machinery';
import type { SelectableField, TableColumn } from '../../objects/definition.ts';
import { DEFAULT_EVENT_TTL_SECONDS } from '../../wire/defaults/index.ts';
import { defineKind } from '../define-kind.ts';
import { column, nameColumn, wideColumn } from '../table/columns.ts';
import { ageOf } from '../table/human-duration.ts';
import { kind } from '../typed/object-meta.ts';
import { ObjectReference } from '../typed/object-reference.ts';
import { type CoreEvent, validateEvent, validateEventUpdate } from '../validate/event.ts';
import { EVENTS, eventConverter, toCore } from './event-conversion.ts';

const EventSource = struct('v1.EventSource', 'Who reported an event.', {
  component: field(1, string, 'The program that reported it.'),
  host: field(2, string, 'The node on which it ran.'),
});
const CoreSeries = struct('v1.EventSeries', 'How often the same thing happened.', {
  count: field(1, int32, 'How often, up to the last time.'),
  lastObservedTime: field(2, microTime, 'The last time.'),
});
const EventsSeries = struct('v1.EventSeries', 'How often the same thing happened.', {
  count: required(1, int32, 'How often, up to the last time.'),
  lastObservedTime: required(2, microTime, 'The last time.'),
});

const DESCRIPTION =
  'Something that happened to an object. Events are for people, are kept for a short time, and must not be relied on.';
const descriptions = {
  eventTime: 'When it happened first.',
  series: 'How often it happened, if more than once.',
  action: 'What was done, or failed, with regard to the object.',
  reason: 'Why, in one word for programs.',
  related: 'A second object that plays a part.',
  text: 'What happened, in words for people.',
  type: 'Normal or Warning.',
  controller: 'The controller that reported it, such as example.com/controller.',
  instance: 'Which instance of the controller it was.',
  first: 'When it was first recorded.',
  last: 'When it was last recorded.',
  count: 'How often it was recorded.',
  object: 'The object that it is about.',
  source: 'Who reported it.',
};

const coreType = kind(
  'v1.Event',
  DESCRIPTION,
  {
    involvedObject: required(2, ObjectReference, descriptions.object),
    reason: field(3, string, descriptions.reason),
    message: field(4, string, descriptions.text),
    source: field(5, EventSource, descriptions.source),
    firstTimestamp: field(6, time, descriptions.first),
    lastTimestamp: field(7, time, descriptions.last),
    count: field(8, int32, descriptions.count),
    type: field(9, string, descriptions.type),
    eventTime: field(10, microTime, descriptions.eventTime),
    series: pointer(11, CoreSeries, descriptions.series),
    action: field(12, string, descriptions.action),
    related: pointer(13, ObjectReference, descriptions.related),
    reportingComponent: field(14, string, descriptions.controller, { keepEmpty: true }),
    reportingInstance: field(15, string, descriptions.instance, { keepEmpty: true }),
  },
  { metadataRequired: true },
);

const eventsType = kind('v1.Event', DESCRIPTION, {
  eventTime: required(2, microTime, descriptions.eventTime),
  series: pointer(3, EventsSeries, descriptions.series),
  reportingController: field(4, string, descriptions.controller),
  reportingInstance: field(5, string, descriptions.instance),
  action: field(6, string, descriptions.action),
  reason: field(7, string, descriptions.reason),
  regarding: field(8, ObjectReference, descriptions.object),
  related: pointer(9, ObjectReference, descriptions.related),
  note: field(10, string, descriptions.text),
  type: field(11, string, descriptions.type),
  deprecatedSource: field(12, EventSource, 'The source field of core events, kept for old clients.'),
  deprecatedFirstTimestamp: field(13, time, 'The firstTimestamp field of core events, kept for old clients.'),
  deprecatedLastTimestamp: field(14, time, 'The lastTimestamp field of core events, kept for old clients.'),
  deprecatedCount: field(15, int32, 'The count field of core events, kept for old clients.'),
});

const coreOf = (event: JsonObject): JsonObject => (event['apiVersion'] === EVENTS ? toCore(event) : event);
const part = (event: JsonObject, name: string): JsonObject => (isJsonObject(event[name]) ? event[name] : {});
const text = (object: JsonObject, name: string): string => String(object[name] ?? '');

const firstSeen = (event: JsonObject, now: number): string =>
  ageOf(event['firstTimestamp'] ?? event['eventTime'], now);
function lastSeen(event: JsonObject, now: number): string {
  if (isJsonObject(event['series'])) return ageOf(event['series']['lastObservedTime'], now);
  return event['lastTimestamp'] == null ? firstSeen(event, now) : ageOf(event['lastTimestamp'], now);
}
/** Events of events.k8s.io that happened once have no count. */
const countOf = (event: JsonObject): number =>
  Number(isJsonObject(event['series']) ? (event['series']['count'] ?? 0) : event['count'] || 1);

function target(event: JsonObject): string {
  const object = part(event, 'involvedObject');
  const [objectKind, name] = [text(object, 'kind').toLowerCase(), text(object, 'name')];
  return name === '' ? objectKind : `${objectKind}/${name}`;
}

function sourceOf(event: JsonObject): string {
  const source = part(event, 'source');
  const component = text(source, 'component') || text(event, 'reportingComponent');
  const instance = text(source, 'host') || text(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}

/** Cells are defined for core Events; those of the other group are converted first. */
const ofCore = (columns: TableColumn[]): TableColumn[] =>
  columns.map((c) => ({ ...c, cell: (event, now) => c.cell(coreOf(event), now) }));

const columns = ofCore([
  column('Last Seen', descriptions.last, lastSeen),
  column('Type', descriptions.type, (event) => text(event, 'type')),
  column('Reason', descriptions.reason, (event) => text(event, 'reason')),
  column('Object', descriptions.object, target),
  wideColumn('Subobject', 'The part of the object that it is about.', (event) =>
    text(part(event, 'involvedObject'), 'fieldPath'),
  ),
  wideColumn('Source', descriptions.source, sourceOf),
  column('Message', descriptions.text, (event) => text(event, 'message').trim()),
  wideColumn('First Seen', descriptions.first, firstSeen),
  wideColumn('Count', descriptions.count, countOf),
  { ...nameColumn, priority: 1 },
]);

const REFERENCE_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function selectable(object: 'involvedObject' | 'regarding', controller: string): SelectableField[] {
  return [
    ...REFERENCE_FIELDS.map((name) => ({
      name: `${object}.${name}`,
      value: (event: JsonObject) => text(part(coreOf(event), 'involvedObject'), name),
    })),
    { name: 'reason', value: (event) => text(event, 'reason') },
    { name: controller, value: (event) => text(coreOf(event), 'reportingComponent') },
    { name: 'type', value: (event) => text(event, 'type') },
  ];
}

const sourceField: SelectableField = {
  name: 'source',
  value: (event) =>
    text(part(coreOf(event), 'source'), 'component') || text(coreOf(event), 'reportingComponent'),
};

export const events = defineKind({
  plural: 'events',
  kind: 'Event',
  shortNames: ['ev'],
  namespaced: true,
  storagePath: 'events/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: coreType,
      columns,
      selectableFields: [...selectable('involvedObject', 'reportingComponent'), sourceField],
    },
    {
      group: 'events.k8s.io',
      version: 'v1',
      type: eventsType,
      columns,
      selectableFields: selectable('regarding', 'reportingController'),
    },
  ],
  converter: eventConverter,
  strategy: {
    validateCreate: (event) => validateEvent(coreOf(asJson(event)) as unknown as CoreEvent, event.apiVersion),
    validateUpdate: (event, old) =>
      validateEventUpdate(
        coreOf(asJson(event)) as unknown as CoreEvent,
        coreOf(asJson(old)) as unknown as CoreEvent,
        event.apiVersion,
      ),
    ttlSeconds: () => DEFAULT_EVENT_TTL_SECONDS,
    allowCreateOnUpdate: true,
  },
  ownMetadataValidation: true,
});
