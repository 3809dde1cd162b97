// The types that requests and responses of all kinds use. Their protobuf messages are registered with the
// first kind.

import {
  atomicList,
  bool,
  field,
  int32,
  int64,
  named,
  pointer,
  required,
  type StructType,
  string,
  struct,
} from '../../objects/go-type.ts';
import { registerForAnyVersion, registerMessage } from '../../wire/protobuf/kinds.ts';
import { ObjectMeta } from './object-meta.ts';
import { listMessage, messageOf } from './protobuf-of.ts';

const typeMeta = {
  apiVersion: field(0, string, 'The version of the API in which this object is written.'),
  kind: field(0, string, 'The kind of this object.'),
};

export const ListMeta = struct(
  'v1.ListMeta',
  'What every list has: the state it shows, and how to read on.',
  {
    continue: field(
      3,
      string,
      'Where to go on if the list was cut off at a limit: sent back in the next request, unchanged.',
    ),
    remainingItemCount: pointer(4, int64, 'How many more items there are, where that is known.'),
    resourceVersion: field(2, string, 'The state of the server that the list shows. Watches can begin here.'),
    selfLink: field(1, string, 'No longer filled in.'),
  },
);

const StatusCause = struct('v1.StatusCause', 'One of the reasons for a failure.', {
  field: field(3, string, 'The field that the cause is about, as a path.'),
  message: field(2, string, 'What is wrong, for people.'),
  reason: field(1, named('v1.CauseType'), 'What is wrong, for programs.'),
});

const StatusDetails = struct('v1.StatusDetails', 'What a failure was about.', {
  causes: atomicList(4, StatusCause, 'Every reason, where there are several.'),
  group: field(2, string, 'The group of the resource.'),
  kind: field(3, string, 'The kind, or the resource, that was asked for.'),
  name: field(1, string, 'The name of the object.'),
  retryAfterSeconds: field(5, int32, 'How long to wait before trying again.'),
  uid: field(6, named('types.UID'), 'The UID of the object.'),
});

export const Status = struct('v1.Status', 'The outcome of a request that does not answer with an object.', {
  ...typeMeta,
  code: field(6, int32, 'The HTTP status code.'),
  details: pointer(5, StatusDetails, 'What the outcome is about.'),
  message: field(3, string, 'What happened, for people.'),
  metadata: field(1, ListMeta, 'Always empty.'),
  reason: field(4, named('v1.StatusReason'), 'What happened, for programs.'),
  status: field(2, string, 'Success or Failure.'),
});

const Preconditions = struct(
  'v1.Preconditions',
  'What must be true of an object for the request to be carried out.',
  {
    resourceVersion: pointer(2, string, 'The state that it must be in.'),
    uid: pointer(1, named('types.UID'), 'The UID that it must have.'),
  },
);

export const DeleteOptions = struct('v1.DeleteOptions', 'How an object is to be deleted.', {
  ...typeMeta,
  dryRun: atomicList(5, string, 'All: do everything except change what is stored.'),
  gracePeriodSeconds: pointer(1, int64, 'How long the object may take to end.'),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(
    6,
    bool,
    'True to delete an object that can no longer be read.',
  ),
  orphanDependents: pointer(3, bool, 'Deprecated: use propagationPolicy.'),
  preconditions: pointer(2, Preconditions, 'What must be true of the object.'),
  propagationPolicy: pointer(
    4,
    named('v1.DeletionPropagation'),
    'What happens to the objects that this one owns: Orphan, Background or Foreground.',
  ),
});

/** A patch has one of several formats, by its media type. */
export const Patch = struct(
  'v1.Patch',
  'A change to an object, in the form that the media type of the request says.',
  {},
);

const ScaleSpec = struct('v1.ScaleSpec', 'The size that is wanted.', {
  replicas: field(1, int32, 'How many replicas there are to be.', { default: 0 }),
});

const ScaleStatus = struct('v1.ScaleStatus', 'The size that is there.', {
  replicas: required(1, int32, 'How many replicas there are.', { default: 0 }),
  selector: field(2, string, 'The label selector of the replicas, as text.'),
});

export const Scale = struct('v1.Scale', 'The size of something that can be scaled.', {
  ...typeMeta,
  metadata: field(1, ObjectMeta, 'The metadata of what is scaled.'),
  spec: field(2, ScaleSpec, 'The size that is wanted.'),
  status: field(3, ScaleStatus, 'The size that is there.'),
});

const PartialObjectMetadata = struct('v1.PartialObjectMetadata', 'An object without what is its own.', {
  ...typeMeta,
  metadata: field(1, ObjectMeta, 'The metadata of the object.'),
});

registerMessage('v1', 'Status', messageOf(Status));
registerForAnyVersion('DeleteOptions', messageOf(DeleteOptions));
registerMessage('autoscaling/v1', 'Scale', messageOf(Scale));
for (const apiVersion of ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'])
  registerListed(apiVersion, 'PartialObjectMetadata', PartialObjectMetadata);

/** A kind and lists of it, in protobuf. */
export function registerListed(apiVersion: string, kind: string, type: StructType): void {
  const message = messageOf(type);
  registerMessage(apiVersion, kind, message);
  registerMessage(apiVersion, `${kind}List`, listMessage(message, messageOf(ListMeta)));
}
