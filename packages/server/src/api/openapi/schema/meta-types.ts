// The types that requests and answers about any kind use, beside the kind itself.

import { ObjectMeta } from '../../../kinds/typed/object-meta.ts';
import {
  atomicList,
  bool,
  field,
  int32,
  int64,
  named,
  pointer,
  required,
  string,
  struct,
} from '../../../objects/go-type.ts';

export { ObjectMeta };

const typeMeta = {
  apiVersion: field(string, 'The version of the API in which this object is written.'),
  kind: field(string, 'The kind of this object.'),
};

export const ListMeta = struct(
  'v1.ListMeta',
  'What every list has: the state it shows, and how to read on.',
  {
    continue: field(
      string,
      'Where to go on if the list was cut off at a limit: sent back in the next request, unchanged.',
    ),
    remainingItemCount: pointer(int64, 'How many more items there are, where that is known.'),
    resourceVersion: field(string, 'The state of the server that the list shows. Watches can begin here.'),
    selfLink: field(string, 'No longer filled in.'),
  },
);

const StatusCause = struct('v1.StatusCause', 'One of the reasons for a failure.', {
  field: field(string, 'The field that the cause is about, as a path.'),
  message: field(string, 'What is wrong, for people.'),
  reason: field(named('v1.CauseType'), 'What is wrong, for programs.'),
});

const StatusDetails = struct('v1.StatusDetails', 'What a failure was about.', {
  causes: atomicList(StatusCause, 'Every reason, where there are several.'),
  group: field(string, 'The group of the resource.'),
  kind: field(string, 'The kind, or the resource, that was asked for.'),
  name: field(string, 'The name of the object.'),
  retryAfterSeconds: field(int32, 'How long to wait before trying again.'),
  uid: field(named('types.UID'), 'The UID of the object.'),
});

export const Status = struct('v1.Status', 'The outcome of a request that does not answer with an object.', {
  ...typeMeta,
  code: field(int32, 'The HTTP status code.'),
  details: pointer(StatusDetails, 'What the outcome is about.'),
  message: field(string, 'What happened, for people.'),
  metadata: field(ListMeta, 'Always empty.'),
  reason: field(named('v1.StatusReason'), 'What happened, for programs.'),
  status: field(string, 'Success or Failure.'),
});

const Preconditions = struct(
  'v1.Preconditions',
  'What must be true of an object for the request to be carried out.',
  {
    resourceVersion: pointer(string, 'The state that it must be in.'),
    uid: pointer(named('types.UID'), 'The UID that it must have.'),
  },
);

export const DeleteOptions = struct('v1.DeleteOptions', 'How an object is to be deleted.', {
  ...typeMeta,
  dryRun: atomicList(string, 'All: do everything except change what is stored.'),
  gracePeriodSeconds: pointer(int64, 'How long the object may take to end.'),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(
    bool,
    'True to delete an object that can no longer be read.',
  ),
  orphanDependents: pointer(bool, 'Deprecated: use propagationPolicy.'),
  preconditions: pointer(Preconditions, 'What must be true of the object.'),
  propagationPolicy: pointer(
    named('v1.DeletionPropagation'),
    'What happens to the objects that this one owns: Orphan, Background or Foreground.',
  ),
});

/** A patch has one of several forms, which its media type tells. */
export const Patch = struct(
  'v1.Patch',
  'A change to an object, in the form that the media type of the request says.',
  {},
);

const ScaleSpec = struct('v1.ScaleSpec', 'The size that is wanted.', {
  replicas: field(int32, 'How many replicas there are to be.', { default: 0 }),
});

const ScaleStatus = struct('v1.ScaleStatus', 'The size that is there.', {
  replicas: required(int32, 'How many replicas there are.', { default: 0 }),
  selector: field(string, 'The label selector of the replicas, as text.'),
});

export const Scale = struct('v1.Scale', 'The size of something that can be scaled.', {
  ...typeMeta,
  metadata: field(ObjectMeta, 'The metadata of what is scaled.'),
  spec: field(ScaleSpec, 'The size that is wanted.'),
  status: field(ScaleStatus, 'The size that is there.'),
});
