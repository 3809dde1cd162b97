// storagemigration.k8s.io StorageVersionMigration: requests that every object of a resource is rewritten in
// the storage version. parts/migration does the work. v1 and v1beta1 differ only in their name; v1beta1 is
// stored, as kube-apiserver 1.36 does.

import { validateDns1035Label, validateDns1123Subdomain } from '@instar/go';
import { field, required, string, struct } from '@instar/kinds';
import {
  asJson,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  validateImmutableField,
} from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { type BuiltinVersion, defineKind } from '../define-kind.ts';
import { column, nameColumn } from '../table/columns.ts';
import { type Condition, conditionsField, validateConditions } from '../typed/condition.ts';
import { kind } from '../typed/object-meta.ts';

export interface StorageVersionMigration extends KubeObject {
  spec: { resource: { group: string; resource: string } };
  status: { conditions?: Condition[]; resourceVersion?: string };
}

const GROUP = 'storagemigration.k8s.io';

const GroupResource = struct('v1.GroupResource', 'A resource by its group and its plural name.', {
  group: required(1, string, 'The group; empty for the core group.'),
  resource: required(2, string, 'The plural name.'),
});

const typeIn = (version: string) =>
  kind(
    `${version}.StorageVersionMigration`,
    'A migration of all objects of a resource to the storage version.',
    {
      spec: field(
        2,
        struct(`${version}.StorageVersionMigrationSpec`, 'What is to be migrated.', {
          resource: required(
            1,
            GroupResource,
            'The resource whose objects are to be written again. It cannot be changed.',
          ),
        }),
        'What is to be migrated.',
      ),
      status: field(
        3,
        struct(`${version}.StorageVersionMigrationStatus`, 'How far the migration is.', {
          conditions: conditionsField(1, 'Running, then Succeeded or Failed.'),
          resourceVersion: field(
            2,
            string,
            'Objects that were written after this revision need no migration.',
          ),
        }),
        'How far the migration is.',
      ),
    },
  );

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

export const isTrue = ({ status }: StorageVersionMigration, type: string): boolean =>
  status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

function validate({ spec }: StorageVersionMigration): FieldError[] {
  const { group, resource } = spec.resource;
  const path = SPEC.child('resource');
  const errors: FieldError[] = [];
  const faults = resource === '' ? [] : validateDns1035Label(resource);
  if (resource === '')
    errors.push(fieldErrors.required(path.child('resource'), 'resource is required to be set'));
  if (faults.length > 0) errors.push(fieldErrors.invalid(path.child('resource'), resource, faults.join(',')));
  const groupFaults = group === '' ? [] : validateDns1123Subdomain(group);
  if (groupFaults.length > 0)
    errors.push(fieldErrors.invalid(path.child('group'), group, groupFaults.join(',')));
  return errors;
}

function validateUpdate(
  next: StorageVersionMigration,
  old: StorageVersionMigration,
  { subresource }: WriteContext,
): FieldError[] {
  if (subresource === 'status') return validateStatus(next, old);
  const spec = asJson(next)['spec'] as JsonObject;
  return [...validate(next), ...validateImmutableField(spec, deepEqual(spec, asJson(old)['spec']!), SPEC)];
}

function validateStatus(next: StorageVersionMigration, old: StorageVersionMigration): FieldError[] {
  const { resourceVersion = '', conditions = [] } = next.status;
  const errors: FieldError[] = [];
  const at = STATUS.child('resourceVersion');
  if (resourceVersion !== '' && !/^[1-9]\d*$/.test(resourceVersion)) {
    errors.push(
      fieldErrors.invalid(at, resourceVersion, `resource version is not well formed: ${resourceVersion}`),
    );
  }
  errors.push(...validateConditions(conditions, STATUS.child('conditions')));
  if (old.status.resourceVersion && old.status.resourceVersion !== resourceVersion) {
    errors.push(fieldErrors.invalid(at, resourceVersion, 'field is immutable'));
  }
  const refuse = (why: string): void => {
    errors.push(fieldErrors.invalid(STATUS.child('conditions'), conditions as unknown as JsonObject[], why));
  };
  if (isTrue(next, 'Succeeded') && isTrue(next, 'Failed'))
    refuse('Both success and failed conditions cannot be true at the same time');
  if (isTrue(old, 'Succeeded') && !isTrue(next, 'Succeeded'))
    refuse('Success condition cannot be set to false once it is true');
  if (isTrue(old, 'Failed') && !isTrue(next, 'Failed'))
    refuse('Failed condition cannot be set to false once it is true');
  return errors;
}

const SHOWN = ['Running', 'Failed', 'Succeeded'];

/** The last of those that are true, as upstream prints it. */
function statusCell({ status }: JsonObject): string {
  const conditions = (isJsonObject(status) ? (status['conditions'] ?? []) : []) as unknown as Condition[];
  return (
    conditions.filter((condition) => condition.status === 'True' && SHOWN.includes(condition.type)).at(-1)
      ?.type ?? 'Unknown'
  );
}

function resourceCell({ spec }: JsonObject): string {
  const { group = '', resource = '' } = ((isJsonObject(spec) && spec['resource']) || {}) as {
    group?: string;
    resource?: string;
  };
  return group === '' ? resource : `${resource}.${group}`;
}

const versionNamed = (version: string): BuiltinVersion => ({
  group: GROUP,
  version,
  type: typeIn(version),
  statusSubresource: true,
  columns: [
    nameColumn,
    column('Resource', 'The resource that is migrated.', resourceCell),
    column('Status', 'How far the migration is.', statusCell),
  ],
});

export const storageVersionMigrations = defineKind({
  plural: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
  namespaced: false,
  storagePath: 'storageversionmigrations/',
  versions: [versionNamed('v1beta1'), versionNamed('v1')],
  converter: { convertNow: (object, apiVersion) => ({ ...object, apiVersion }) },
  strategy: {
    prepareForCreate: (object) => {
      (object as StorageVersionMigration).status = {};
    },
    prepareForUpdate: (object, old, { subresource }) => {
      if (subresource === 'status') object['spec'] = old['spec'];
      else object['status'] = old['status'];
    },
    validateCreate: (object) => validate(object as StorageVersionMigration),
    validateUpdate: (object, old, context) =>
      validateUpdate(object as StorageVersionMigration, old as StorageVersionMigration, context),
    allowUnconditionalUpdate: false,
  },
});
