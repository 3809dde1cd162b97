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
    apiVersion: required(string, 'API version of the owner.'),
    kind: required(string, 'Kind of the owner.'),
    name: required(string, 'Name of the owner.'),
    uid: required(named('types.UID'), 'UID of the owner: a later object of the same name is not the owner.'),
    controller: pointer(bool, 'True for the one owner that manages this object.'),
    blockOwnerDeletion: pointer(
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
    manager: field(string, 'Who manages the fields.'),
    operation: field(named('v1.ManagedFieldsOperationType'), 'How they were set: Apply or Update.'),
    apiVersion: field(string, 'The version in which the fields are named.'),
    time: pointer(time, 'When the entry was last changed.'),
    fieldsType: field(string, 'The form of the field set; FieldsV1 is the only one.'),
    fieldsV1: pointer(raw('v1.FieldsV1'), 'The set of fields.'),
    subresource: field(string, 'The subresource through which they were set, if it was one.'),
  },
);

export const ObjectMeta = struct(
  'v1.ObjectMeta',
  'What every stored object has: its name, identity, labels and life cycle.',
  {
    name: field(string, 'The name, unique among objects of the kind in the namespace. It cannot be changed.'),
    generateName: field(string, 'A prefix from which the server makes a unique name when name is empty.'),
    namespace: field(
      string,
      'The namespace of the object; empty for kinds without namespaces. It cannot be changed.',
    ),
    selfLink: field(string, 'No longer filled in.'),
    uid: field(
      named('types.UID'),
      'Set by the server: tells this object from others that had or will have the same name.',
    ),
    resourceVersion: field(
      string,
      'Set by the server: changes with every write. Send it back to be told of writes in between.',
    ),
    generation: field(int64, 'Set by the server: counts the changes of the desired state.'),
    creationTimestamp: field(time, 'Set by the server: when the object was created.', { omitZero: true }),
    deletionTimestamp: pointer(
      time,
      'Set by the server: when deletion was asked for. The object goes once its finalizers are gone.',
    ),
    deletionGracePeriodSeconds: pointer(
      int64,
      'Set by the server together with deletionTimestamp: how long a graceful end may take.',
    ),
    labels: field(mapOf(string), 'Short values by which objects are grouped and selected.'),
    annotations: field(
      mapOf(string),
      'Values of any form that tools keep with the object; they are not selectable.',
    ),
    ownerReferences: field(listOf(OwnerReference), 'The objects that this one depends on.', {
      listType: 'map',
      mapKeys: ['uid'],
      patch: { strategy: 'merge', key: 'uid' },
    }),
    finalizers: field(
      listOf(string),
      'Names of those who must act before the object may go. Each removes its own.',
      {
        listType: 'set',
        patch: { strategy: 'merge' },
      },
    ),
    managedFields: atomicList(ManagedFieldsEntry, 'Which manager owns which fields; kept by the server.'),
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
    apiVersion: field(string, 'The version of the API in which this object is written.', {
      embeddedIn: 'TypeMeta',
    }),
    kind: field(string, 'The kind of this object.', { embeddedIn: 'TypeMeta' }),
    metadata: field(
      ObjectMeta,
      'Name, labels and what else all objects have.',
      options.metadataRequired === true ? { required: true } : {},
    ),
    ...fields,
  });
}
