// Validation of the status of claims for devices.
import { type FieldError, FieldPath, fieldErrors, type JsonObject, type KubeObject } from '@instar/machinery';
import { validateDriverName, validateUnchanged } from './checks.ts';
import { type DeviceClaim, requestNames, validateItems } from './device-claim.ts';

interface AllocatedDevice {
  request: string;
  driver: string;
  pool: string;
  device: string;
}

interface Consumer {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
}

export interface ResourceClaim extends KubeObject {
  spec: { devices?: DeviceClaim };
  status: {
    allocation?: { devices?: { results?: AllocatedDevice[] } } & JsonObject;
    reservedFor?: Consumer[];
  };
}

const STATUS = FieldPath.of('status');
const MAX_DEVICES = 32;
const MAX_CONSUMERS = 256;

/** An allocation does not change, and is not removed while the claim is reserved. */
export function validateClaimStatusUpdate(claim: ResourceClaim, old: ResourceClaim): FieldError[] {
  const { allocation, reservedFor = [] } = claim.status;
  const errors = validateItems(
    reservedFor,
    MAX_CONSUMERS,
    STATUS.child('reservedFor'),
    validateConsumer,
    ({ uid }) => uid,
  );
  if (reservedFor.length > 0 && allocation === undefined)
    errors.push(
      fieldErrors.forbidden(STATUS.child('reservedFor'), 'may not be specified when `allocated` is not set'),
    );
  const before = new Set((old.status.reservedFor ?? []).map(({ uid }) => uid));
  const isAdded = reservedFor.some(({ uid }) => !before.has(uid));
  if (claim.metadata.deletionTimestamp != null && isAdded)
    errors.push(
      fieldErrors.forbidden(
        STATUS.child('reservedFor'),
        'new entries may not be added while `deletionTimestamp` is set',
      ),
    );
  if (allocation !== undefined && old.status.allocation === undefined)
    return [...errors, ...validateAllocation(claim)];
  return allocation === undefined
    ? errors
    : [...errors, ...validateUnchanged(allocation, old.status.allocation, STATUS.child('allocation'))];
}

function validateConsumer({ resource, name, uid }: Consumer, path: FieldPath): FieldError[] {
  return Object.entries({ resource, name, uid }).flatMap(([field, value]) =>
    (value ?? '') === '' ? [fieldErrors.required(path.child(field))] : [],
  );
}

function validateAllocation({ spec, status }: ResourceClaim): FieldError[] {
  const known = requestNames(spec.devices ?? {});
  const path = STATUS.child('allocation', 'devices', 'results');
  return validateItems(status.allocation?.devices?.results ?? [], MAX_DEVICES, path, (result, at) => [
    ...(known.has(result.request)
      ? []
      : [
          fieldErrors.invalid(
            at.child('request'),
            result.request,
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
          ),
        ]),
    ...validateDriverName(result.driver, at.child('driver')),
    ...(result.pool === '' ? [fieldErrors.required(at.child('pool'))] : []),
    ...(result.device === '' ? [fieldErrors.required(at.child('device'))] : []),
  ]);
}
