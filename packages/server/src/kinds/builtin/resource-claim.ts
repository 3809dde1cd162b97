// resource.k8s.io/v1 ResourceClaim: a request for devices, and which were allocated.

import { goStruct } from '@instar/kinds';
import { FieldPath, type JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, metadataOf, nameColumn } from '../table/columns.ts';
import { objectsAt, valueAt } from '../table/values.ts';
import { validateUnchanged } from '../validate/checks.ts';
import { validateDeviceClaim } from '../validate/device-claim.ts';
import { type ResourceClaim, validateClaimStatusUpdate } from '../validate/resource-claim.ts';
import { fillInRequests } from './device-requests.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

const SPEC = FieldPath.of('spec');

function stateCell(claim: JsonObject): string {
  const isDeleted = metadataOf(claim)['deletionTimestamp'] != null;
  const words = isDeleted ? ['deleted'] : [];
  if (valueAt(claim, 'status', 'allocation') === undefined) {
    if (!isDeleted) words.push('pending');
  } else {
    words.push('allocated');
    if (objectsAt(claim, 'status', 'reservedFor').length > 0) words.push('reserved');
  }
  return words.join(',');
}

export const resourceClaims = defineKind({
  plural: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
  storagePath: 'resourceclaims/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.ResourceClaim'),
      fillIn: (claim) => fillInRequests(claim, 'spec'),
      statusSubresource: true,
      columns: [nameColumn, column('State', 'What became of it.', stateCell), ageColumn],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus({ generation: false }),
    validateCreate: (claim) =>
      validateDeviceClaim((claim as ResourceClaim).spec.devices ?? {}, SPEC.child('devices')),
    validateUpdate: (claim, old, { subresource }) =>
      subresource === 'status'
        ? validateClaimStatusUpdate(claim as ResourceClaim, old as ResourceClaim)
        : validateUnchanged((claim as ResourceClaim).spec, (old as ResourceClaim).spec, SPEC),
    returnDeletedObject: true,
  },
});
