// v1.ObjectReference and v1.LocalObjectReference: objects pointing at others.
import { field, named, string, struct } from '../../objects/go-type.ts';

export const ObjectReference = struct(
  'v1.ObjectReference',
  'Points at an object, or at a part of one.',
  {
    kind: field(string, 'The kind of the object.'),
    namespace: field(string, 'The namespace of the object.'),
    name: field(string, 'The name of the object.'),
    uid: field(named('types.UID'), 'The UID of the object.'),
    apiVersion: field(string, 'The API version of the object.'),
    resourceVersion: field(
      string,
      'The resourceVersion of the object that is meant, if it is a certain one.',
    ),
    fieldPath: field(
      string,
      'The part that is meant, such as spec.containers{name}, if it is not the whole.',
    ),
  },
  { atomic: true },
);

export const LocalObjectReference = struct(
  'v1.LocalObjectReference',
  'Points at an object of the same namespace.',
  { name: field(string, 'The name of the object.') },
  { atomic: true },
);
