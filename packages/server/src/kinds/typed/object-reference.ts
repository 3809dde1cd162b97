// v1.ObjectReference and v1.LocalObjectReference: references to objects.
import { field, named, string, struct } from '@instar/kinds';

export const ObjectReference = struct(
  'v1.ObjectReference',
  'Points at an object, or at a part of one.',
  {
    kind: field(1, string, 'The kind of the object.'),
    namespace: field(2, string, 'The namespace of the object.'),
    name: field(3, string, 'The name of the object.'),
    uid: field(4, named('types.UID'), 'The UID of the object.'),
    apiVersion: field(5, string, 'The API version of the object.'),
    resourceVersion: field(
      6,
      string,
      'The resourceVersion of the object that is meant, if it is a certain one.',
    ),
    fieldPath: field(
      7,
      string,
      'The part that is meant, such as spec.containers{name}, if it is not the whole.',
    ),
  },
  { atomic: true },
);

export const LocalObjectReference = struct(
  'v1.LocalObjectReference',
  'Points at an object of the same namespace.',
  { name: field(1, string, 'The name of the object.') },
  { atomic: true },
);
