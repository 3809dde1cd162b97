// Fields without an owner: those that identify the object, and those that the server maintains.
import type { FieldSet } from '../fieldset/field-set.ts';
import { difference } from '../fieldset/operations.ts';
import { setOfFields } from '../fieldset/paths.ts';

const NEVER_OWNED = setOfFields(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name] as const),
);

export const stripNeverOwned = (set: FieldSet): FieldSet => difference(set, NEVER_OWNED);
