// Events: what happened to an object. Served in the core group and in events.k8s.io over one stored object,
// and gone after an hour.
import { asJson, isJsonObject, type JsonObject } from '@instar/machinery';
import type { SelectableField, TableColumn } from '../../objects/definition.ts';
import { field, int32, microTime, pointer, required, string, struct, time } from '../../objects/go-type.ts';
import { defineKind } from '../define-kind.ts';
import { column, nameColumn, wideColumn } from '../table/columns.ts';
import { ageOf } from '../table/human-duration.ts';
import { kind } from '../typed/object-meta.ts';
import { ObjectReference } from '../typed/object-reference.ts';
import { type CoreEvent, validateEvent, validateEventUpdate } from '../validate/event.ts';
import { EVENTS, eventConverter, toCore } from './event-conversion.ts';

/** Upstream's --event-ttl. */
const TTL_SECONDS = 3600;

const EventSource = struct('v1.EventSource', 'Who reported an event.', {
  component: field(string, 'The program that reported it.'),
  host: field(string, 'The node on which it ran.'),
});
const CoreSeries = struct('v1.EventSeries', 'How often the same thing happened.', {
  count: field(int32, 'How often, up to the last time.'),
  lastObservedTime: field(microTime, 'The last time.'),
});
const EventsSeries = struct('v1.EventSeries', 'How often the same thing happened.', {
  count: required(int32, 'How often, up to the last time.'),
  lastObservedTime: required(microTime, 'The last time.'),
});

const DESCRIPTION =
  'Something that happened to an object. Events are for people, are kept for a short time, and must not be relied on.';
const words = {
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
    involvedObject: required(ObjectReference, words.object),
    reason: field(string, words.reason),
    message: field(string, words.text),
    source: field(EventSource, words.source),
    firstTimestamp: field(time, words.first),
    lastTimestamp: field(time, words.last),
    count: field(int32, words.count),
    type: field(string, words.type),
    eventTime: field(microTime, words.eventTime),
    series: pointer(CoreSeries, words.series),
    action: field(string, words.action),
    related: pointer(ObjectReference, words.related),
    reportingComponent: field(string, words.controller, { keepEmpty: true }),
    reportingInstance: field(string, words.instance, { keepEmpty: true }),
  },
  { metadataRequired: true },
);

const eventsType = kind('v1.Event', DESCRIPTION, {
  eventTime: required(microTime, words.eventTime),
  series: pointer(EventsSeries, words.series),
  reportingController: field(string, words.controller),
  reportingInstance: field(string, words.instance),
  action: field(string, words.action),
  reason: field(string, words.reason),
  regarding: field(ObjectReference, words.object),
  related: pointer(ObjectReference, words.related),
  note: field(string, words.text),
  type: field(string, words.type),
  deprecatedSource: field(EventSource, 'The source field of core events, kept for old clients.'),
  deprecatedFirstTimestamp: field(time, 'The firstTimestamp field of core events, kept for old clients.'),
  deprecatedLastTimestamp: field(time, 'The lastTimestamp field of core events, kept for old clients.'),
  deprecatedCount: field(int32, 'The count field of core events, kept for old clients.'),
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
/** Events of the new kind that happened once have no count. */
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

/** Cells are written for core events; those of the other group are read as such. */
const ofCore = (columns: TableColumn[]): TableColumn[] =>
  columns.map((c) => ({ ...c, cell: (event, now) => c.cell(coreOf(event), now) }));

const columns = ofCore([
  column('Last Seen', words.last, lastSeen),
  column('Type', words.type, (event) => text(event, 'type')),
  column('Reason', words.reason, (event) => text(event, 'reason')),
  column('Object', words.object, target),
  wideColumn('Subobject', 'The part of the object that it is about.', (event) =>
    text(part(event, 'involvedObject'), 'fieldPath'),
  ),
  wideColumn('Source', words.source, sourceOf),
  column('Message', words.text, (event) => text(event, 'message').trim()),
  wideColumn('First Seen', words.first, firstSeen),
  wideColumn('Count', words.count, countOf),
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
    ttlSeconds: () => TTL_SECONDS,
    allowCreateOnUpdate: true,
  },
  ownMetadataValidation: true,
});
