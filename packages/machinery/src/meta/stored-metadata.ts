// The metadata of a stored custom resource: the shape that needs no repair, and the repair. Servers of long
// ago stored what they were sent: fields that metadata no longer has, or values of another type.
import { deepEqual } from '../deep-equal.ts';
import {
  ANYTHING,
  FixedShape,
  type JsonShape,
  type MemberShape,
  memberShape,
  NameTable,
  VALUE_START,
} from '../json/shape.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import { decodeObjectMeta } from './decode-object-meta.ts';

const TEXT = memberShape(ANYTHING, { start: VALUE_START.text });
const NUMBER = memberShape(ANYTHING, { start: VALUE_START.number });
const SWITCH = memberShape(ANYTHING);

const objectOf = (shape: JsonShape): MemberShape => memberShape(shape, { start: VALUE_START.object });
const listOf = (items: MemberShape): MemberShape =>
  memberShape(new FixedShape({ items }), { start: VALUE_START.list });

function fieldsOf(members: Readonly<Record<string, MemberShape>>): JsonShape {
  const required = Object.values(members).filter(({ isRequired }) => isRequired).length;
  return new FixedShape({
    names: new NameTable(new Map(Object.entries(members))),
    required,
    others: undefined,
  });
}

const TEXTS = objectOf(new FixedShape({ others: TEXT }));
const OWNER = fieldsOf({
  apiVersion: TEXT,
  kind: TEXT,
  name: TEXT,
  uid: TEXT,
  controller: SWITCH,
  blockOwnerDeletion: SWITCH,
});

/** Times are not read. What has this shape is served as it is stored. */
export const STORED_METADATA: JsonShape = fieldsOf({
  name: TEXT,
  generateName: TEXT,
  namespace: TEXT,
  selfLink: TEXT,
  uid: TEXT,
  resourceVersion: TEXT,
  generation: memberShape(ANYTHING, { start: VALUE_START.number, isRequired: true }),
  creationTimestamp: TEXT,
  deletionTimestamp: TEXT,
  deletionGracePeriodSeconds: NUMBER,
  labels: TEXTS,
  annotations: TEXTS,
  ownerReferences: listOf(objectOf(OWNER)),
  finalizers: listOf(TEXT),
  managedFields: listOf(objectOf(ANYTHING)),
});

/**
 * Drops from metadata, in place, the fields that are unknown or do not decode, and sets a generation if
 * there is none, as upstream does on every read. True if anything changed.
 */
export function repairStoredMetadata(object: KubeObject): boolean {
  const { resourceVersion, ...metadata } = object.metadata;
  const decoded = decodeObjectMeta(metadata as unknown as JsonObject, { dropMalformed: true });
  if ('fault' in decoded) return false;
  const meta = { generation: 1, ...decoded.meta };
  if (deepEqual(meta as unknown as JsonObject, metadata as unknown as JsonObject)) return false;
  object.metadata = { ...(resourceVersion !== undefined && { resourceVersion }), ...meta };
  return true;
}

/**
 * For readers of stored metadata alone: without the fields that do not decode. Valid metadata is returned
 * unchanged.
 */
export function readableMetadata(metadata: ObjectMeta): ObjectMeta {
  const { labels, ownerReferences, finalizers } = metadata as unknown as JsonObject;
  if (isTextMap(labels) && isListOrMissing(ownerReferences) && isListOrMissing(finalizers)) return metadata;
  const decoded = decodeObjectMeta(metadata as unknown as JsonObject, { dropMalformed: true });
  return 'fault' in decoded ? {} : decoded.meta;
}

const isListOrMissing = (value: JsonValue | undefined): boolean =>
  value === undefined || Array.isArray(value);

function isTextMap(value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  if (!isJsonObject(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}
