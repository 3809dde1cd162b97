// metav1.ObjectMeta, and the fields that every built-in kind has.
import {
  atomicList,
  bool,
  field,
  type GoField,
  int64,
  listOf,
  mapOf,
  named,
  pointer,
  raw,
  required,
  string,
  struct,
  time,
} from '../../objects/go-type.ts';
import { OBJECT_META_DESCRIPTION, OBJECT_META_DESCRIPTIONS } from './object-meta-descriptions.ts';

const OwnerReference = struct(
  'v1.OwnerReference',
  'Names an object that owns this one: when all owners are gone, this one is collected.',
  {
    apiVersion: required(5, string, 'API version of the owner.'),
    kind: required(1, string, 'Kind of the owner.'),
    name: required(3, string, 'Name of the owner.'),
    uid: required(
      4,
      named('types.UID'),
      'UID of the owner: a later object of the same name is not the owner.',
    ),
    controller: pointer(6, bool, 'True for the one owner that manages this object.'),
    blockOwnerDeletion: pointer(
      7,
      bool,
      'True to hold a foreground deletion of the owner back until this object is gone.',
    ),
  },
  { atomic: true },
);

const ManagedFieldsEntry = struct(
  'v1.ManagedFieldsEntry',
  'The fields that one manager owns, in one version of the object.',
  {
    manager: field(1, string, 'Who manages the fields.'),
    operation: field(2, named('v1.ManagedFieldsOperationType'), 'How they were set: Apply or Update.'),
    apiVersion: field(3, string, 'The version in which the fields are named.'),
    time: pointer(4, time, 'When the entry was last changed.'),
    fieldsType: field(6, string, 'The form of the field set; FieldsV1 is the only one.'),
    fieldsV1: pointer(7, raw('v1.FieldsV1'), 'The set of fields.'),
    subresource: field(8, string, 'The subresource through which they were set, if it was one.'),
  },
);

const say = OBJECT_META_DESCRIPTIONS;

export const ObjectMeta = struct('v1.ObjectMeta', OBJECT_META_DESCRIPTION, {
  name: field(1, string, say.name),
  generateName: field(2, string, say.generateName),
  namespace: field(3, string, say.namespace),
  selfLink: field(4, string, say.selfLink),
  uid: field(5, named('types.UID'), say.uid),
  resourceVersion: field(6, string, say.resourceVersion),
  generation: field(7, int64, say.generation),
  creationTimestamp: field(8, time, say.creationTimestamp, { omitZero: true }),
  deletionTimestamp: pointer(9, time, say.deletionTimestamp),
  deletionGracePeriodSeconds: pointer(10, int64, say.deletionGracePeriodSeconds),
  labels: field(11, mapOf(string), say.labels),
  annotations: field(12, mapOf(string), say.annotations),
  ownerReferences: field(13, listOf(OwnerReference), say.ownerReferences, {
    listType: 'map',
    mapKeys: ['uid'],
    patch: { strategy: 'merge', key: 'uid' },
  }),
  finalizers: field(14, listOf(string), say.finalizers, { listType: 'set', patch: { strategy: 'merge' } }),
  managedFields: atomicList(17, ManagedFieldsEntry, say.managedFields),
});

/** The Go type of a kind: apiVersion, kind and metadata before its own fields. */
export function kind(
  name: string,
  description: string,
  fields: Record<string, GoField>,
  options: { metadataRequired?: boolean } = {},
) {
  return struct(name, description, {
    apiVersion: field(0, string, 'The version of the API in which this object is written.', {
      embeddedIn: 'TypeMeta',
    }),
    kind: field(0, string, 'The kind of this object.', { embeddedIn: 'TypeMeta' }),
    metadata: field(
      1,
      ObjectMeta,
      'Name, labels and what else all objects have.',
      options.metadataRequired === true ? { required: true } : {},
    ),
    ...fields,
  });
}
