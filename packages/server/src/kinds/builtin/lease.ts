// coordination.k8s.io/v1 Lease: who leads, and until when. Clients handle the times; the server only
// validates the numbers.

import { goStruct } from '@instar/kinds';
import { type FieldError, fieldErrors, isJsonObject, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';

interface Lease extends KubeObject {
  spec: {
    leaseDurationSeconds?: number;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

function validateLease({ spec }: Lease): FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  if (duration !== undefined && duration <= 0)
    errors.push(fieldErrors.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0) {
    errors.push(
      fieldErrors.invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
    );
  }
  return errors;
}

/**
 * Coordinated leader election is a feature that upstream disables by default; its fields are dropped on
 * writes.
 */
function dropElectionFields(lease: KubeObject): void {
  delete (lease as Lease).spec.strategy;
  delete (lease as Lease).spec.preferredHolder;
}

export const leases = defineKind({
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  storagePath: 'leases/',
  versions: [
    {
      group: 'coordination.k8s.io',
      version: 'v1',
      type: goStruct('coordination/v1.Lease'),
      columns: [
        nameColumn,
        column('Holder', 'Who holds the lease.', ({ spec }) =>
          isJsonObject(spec) ? (spec['holderIdentity'] ?? '') : '',
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: dropElectionFields,
    prepareForUpdate: dropElectionFields,
    validateCreate: (lease) => validateLease(lease as Lease),
    validateUpdate: (lease) => validateLease(lease as Lease),
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
});
