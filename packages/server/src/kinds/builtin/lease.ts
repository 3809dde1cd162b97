// coordination.k8s.io/v1 Lease: who leads, and until when. Clients handle the times; the server only
// validates the numbers.

import { field, int32, microTime, named, pointer, string, struct } from '@instar/kinds';
import { type FieldError, fieldErrors, isJsonObject, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';

interface Lease extends KubeObject {
  spec: {
    leaseDurationSeconds?: number;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

const LeaseSpec = struct('v1.LeaseSpec', 'Who holds the lease and since when.', {
  holderIdentity: pointer(1, string, 'Who holds the lease now.'),
  leaseDurationSeconds: pointer(
    2,
    int32,
    'How long after renewTime others must wait before they take the lease.',
  ),
  acquireTime: pointer(3, microTime, 'When the present holder took the lease.'),
  renewTime: pointer(4, microTime, 'When the present holder last renewed the lease.'),
  leaseTransitions: pointer(5, int32, 'How often the lease went from one holder to another.'),
  strategy: pointer(
    6,
    named('v1.CoordinatedLeaseStrategy'),
    'How a leader is chosen among candidates, where the election is coordinated.',
  ),
  preferredHolder: pointer(
    7,
    string,
    'Tells the present holder that it should give the lease to this one. Only together with strategy.',
  ),
});

const type = kind('v1.Lease', 'A claim on something that only one may have at a time, such as leadership.', {
  spec: field(2, LeaseSpec, 'Who holds the lease and since when.'),
});

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
      type,
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
