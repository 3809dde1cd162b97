// Converts Events between v1 (stored) and events.k8s.io/v1. The fields correspond one to one, so that nothing
// is lost either way.

import type { ImmediateConverter } from '@instar/convert';
import {
  asJson,
  asKubeObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';

const CORE = 'v1';
export const EVENTS = 'events.k8s.io/v1';

/** core name → events.k8s.io name, in the order of the fields in events.k8s.io. */
const NAMES: readonly (readonly [string, string])[] = [
  ['metadata', 'metadata'],
  ['eventTime', 'eventTime'],
  ['series', 'series'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
  ['action', 'action'],
  ['reason', 'reason'],
  ['involvedObject', 'regarding'],
  ['related', 'related'],
  ['message', 'note'],
  ['type', 'type'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];
/** Present in v1 even if empty; omitted in events.k8s.io. */
const REPORTING: ReadonlySet<string> = new Set(['reportingComponent', 'reportingInstance']);

function toEvents(core: JsonObject): JsonObject {
  const event: JsonObject = { apiVersion: EVENTS, kind: 'Event' };
  for (const [from, to] of NAMES) {
    const value = core[from];
    if (value === undefined || (REPORTING.has(from) && value === '')) continue;
    event[to] = from === 'series' ? seriesWith(value, 0) : value;
  }
  return event;
}

export function toCore(event: JsonObject): JsonObject {
  const core: JsonObject = { apiVersion: CORE, kind: 'Event' };
  for (const [to, from] of NAMES) {
    // A missing time stays null; only these two have different empty values in the two versions.
    const value = event[from] === undefined && REPORTING.has(to) ? '' : event[from];
    if (value !== undefined) core[to] = to === 'series' ? seriesWith(value, undefined) : value;
  }
  return core;
}

/** A series without a count has the count 0 in events.k8s.io only. */
function seriesWith(series: JsonValue, zero: 0 | undefined): JsonValue {
  if (!isJsonObject(series)) return series;
  const { count = 0, lastObservedTime = null } = series;
  return count === 0 && zero === undefined ? { lastObservedTime } : { count, lastObservedTime };
}

function convertNow(object: KubeObject, toApiVersion: string): KubeObject {
  if (object.apiVersion === toApiVersion) return object;
  return asKubeObject(toApiVersion === EVENTS ? toEvents(asJson(object)) : toCore(asJson(object)));
}

export const eventConverter: ImmediateConverter = { convertNow };
