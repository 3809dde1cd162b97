import type { ManagedFieldsEntry } from '@instar/machinery';
import { expect, it } from 'vitest';
import { make, V1 } from '../testing/widget.ts';
import { checkManagedFieldsAfterAdmission } from './check-managed-fields.ts';

const entry: ManagedFieldsEntry = {
  manager: 'x',
  operation: 'Update',
  apiVersion: V1,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': {} },
};

it('restores what a webhook broke, with a warning', () => {
  const { operation: _operation, ...broken } = entry;
  const { object, warning } = checkManagedFieldsAfterAdmission(make(undefined, { managedFields: [broken] }), [
    entry,
  ]);
  expect(object.metadata.managedFields).toEqual([entry]);
  expect(warning).toBe(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; ' +
      'please fix your requests: operation must be `Apply` or `Update`',
  );
});

it('keeps other changes of a webhook', () => {
  const changed = make(undefined, { managedFields: [{ ...entry, manager: 'y' }] });
  expect(checkManagedFieldsAfterAdmission(changed, [entry])).toEqual({ object: changed, warning: undefined });
});
