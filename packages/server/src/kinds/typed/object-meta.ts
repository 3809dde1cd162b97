// metav1.ObjectMeta, and the frame that every built-in kind has around its own fields.
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

export const ObjectMeta = struct(
  'v1.ObjectMeta',
  'What every stored object has: its name, identity, labels and life cycle.',
  {
    name: field(
      1,
      string,
      'The name, unique among objects of the kind in the namespace. It cannot be changed.',
    ),
    generateName: field(2, string, 'A prefix from which the server makes a unique name when name is empty.'),
    namespace: field(
      3,
      string,
      'The namespace of the object; empty for kinds without namespaces. It cannot be changed.',
    ),
    selfLink: field(4, string, 'No longer filled in.'),
    uid: field(
      5,
      named('types.UID'),
      'Set by the server: tells this object from others that had or will have the same name.',
    ),
    resourceVersion: field(
      6,
      string,
      'Set by the server: changes with every write. Send it back to be told of writes in between.',
    ),
    generation: field(7, int64, 'Set by the server: counts the changes of the desired state.'),
    creationTimestamp: field(8, time, 'Set by the server: when the object was created.', { omitZero: true }),
    deletionTimestamp: pointer(
      9,
      time,
      'Set by the server: when deletion was asked for. The object goes once its finalizers are gone.',
    ),
    deletionGracePeriodSeconds: pointer(
      10,
      int64,
      'Set by the server together with deletionTimestamp: how long a graceful end may take.',
    ),
    labels: field(11, mapOf(string), 'Short values by which objects are grouped and selected.'),
    annotations: field(
      12,
      mapOf(string),
      'Values of any form that tools keep with the object; they are not selectable.',
    ),
    ownerReferences: field(13, listOf(OwnerReference), 'The objects that this one depends on.', {
      listType: 'map',
      mapKeys: ['uid'],
      patch: { strategy: 'merge', key: 'uid' },
    }),
    finalizers: field(
      14,
      listOf(string),
      'Names of those who must act before the object may go. Each removes its own.',
      {
        listType: 'set',
        patch: { strategy: 'merge' },
      },
    ),
    managedFields: atomicList(17, ManagedFieldsEntry, 'Which manager owns which fields; kept by the server.'),
  },
);

/** A kind: apiVersion, kind and metadata before its own fields. */
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
