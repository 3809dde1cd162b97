// What the labeller records for people and for `instar snapshot phase`: a ConfigMap that says when everything
// was last checked, how many objects were invalid, and since when there has been none.
import type { KubeApi } from '@instar/client';
import { parseTime, printTime } from '@instar/go';
import { ApiError, type KubeObject } from '@instar/machinery';

export interface LabellerRecord {
  readonly invalidSnapshots: number;
  readonly invalidContents: number;
  /** Milliseconds. When every object of both resources had last been checked. */
  readonly checkedAt?: number;
  /** Since when no object was invalid; absent while there is one, or before the first full check. */
  readonly cleanSince?: number;
}

export interface RecordLocation {
  readonly namespace: string;
  readonly name: string;
}

/** The current state merged with the existing record: cleanliness lasts until something invalid is seen. */
export function nextRecord(
  before: LabellerRecord | undefined,
  seen: Omit<LabellerRecord, 'cleanSince'>,
  now: number,
): LabellerRecord {
  const dirty = seen.invalidSnapshots + seen.invalidContents > 0;
  const cleanSince = dirty
    ? undefined
    : (before?.cleanSince ?? (seen.checkedAt === undefined ? undefined : now));
  return { ...seen, ...(cleanSince !== undefined && { cleanSince }) };
}

function recordData(record: LabellerRecord): Record<string, string> {
  return {
    invalidSnapshots: String(record.invalidSnapshots),
    invalidContents: String(record.invalidContents),
    checkedAt: record.checkedAt === undefined ? '' : printTime(record.checkedAt),
    cleanSince: record.cleanSince === undefined ? '' : printTime(record.cleanSince),
  };
}

function recordOf(data: Readonly<Record<string, string>>): LabellerRecord {
  const count = (text = ''): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);
  const checkedAt = timeOf(data['checkedAt']);
  const cleanSince = timeOf(data['cleanSince']);
  return {
    invalidSnapshots: count(data['invalidSnapshots']),
    invalidContents: count(data['invalidContents']),
    ...(checkedAt !== undefined && { checkedAt }),
    ...(cleanSince !== undefined && { cleanSince }),
  };
}

function timeOf(text = ''): number | undefined {
  const time = parseTime(text);
  return 'fault' in time ? undefined : time.milliseconds;
}

const refOf = ({ namespace, name }: RecordLocation) => ({
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace,
  name,
});

/** Undefined if no labeller has ever written a record there. */
export async function readRecord(
  api: Pick<KubeApi, 'get'>,
  place: RecordLocation,
): Promise<LabellerRecord | undefined> {
  try {
    const { data } = await api.get<KubeObject & { data?: Record<string, string> }>(refOf(place));
    return data === undefined ? undefined : recordOf(data);
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

export async function writeRecord(
  api: Pick<KubeApi, 'patch'>,
  place: RecordLocation,
  record: LabellerRecord,
  manager: string,
): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place }, data: recordData(record) };
  await api.patch(refOf(place), object, { type: 'apply', fieldManager: manager, force: true });
}
