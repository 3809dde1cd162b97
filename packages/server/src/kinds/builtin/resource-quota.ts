// v1 ResourceQuota: how much the objects of a namespace may use in sum. Usage is counted by a controller.

import { goStruct } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import {
  type ResourceQuota,
  validateQuotaSpec,
  validateQuotaStatus,
  validateQuotaUpdate,
} from '../validate/resource-quota.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

/** What is used of what is allowed, of those resources that are limits, or of all others. */
function usageCell(quota: JsonObject, ofLimits: boolean): string {
  const hard = (valueAt(quota, 'status', 'hard') ?? {}) as JsonObject;
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === ofLimits)
    .sort()
    .map((name) => `${name}: ${textAt(quota, ['status', 'used', name], '0')}/${hard[name]}`)
    .join(', ');
}

export const resourceQuotas = defineKind({
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  shortNames: ['quota'],
  namespaced: true,
  storagePath: 'resourcequotas/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ResourceQuota'),
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Request', 'What is requested of what may be.', (quota) => usageCell(quota, false)),
        column('Limit', 'The limits that are set of those that may be.', (quota) => usageCell(quota, true)),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus({ generation: false }),
    validateCreate: (quota) => validateQuotaSpec((quota as ResourceQuota).spec),
    validateUpdate: (quota, old, { subresource }) =>
      subresource === 'status'
        ? validateQuotaStatus((quota as ResourceQuota).status)
        : validateQuotaUpdate(quota as ResourceQuota, old as ResourceQuota),
    statusMayWriteMetadata: true,
    returnDeletedObject: true,
  },
});
