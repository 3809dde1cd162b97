// Fields that nobody owns: those that say which object it is, and those that the server keeps.
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
