// Validation of nodes.
import { parseCidr, validateLabelValue } from '@instar/go';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type KubeObject,
  validateLabelName,
} from '@instar/machinery';
import { validateCidr } from './cidr.ts';
import { validateTaintEffect } from './node-selector.ts';
import { type Amounts, validateResourceAmount } from './quantities.ts';

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface Node extends KubeObject {
  spec: {
    podCIDR?: string;
    podCIDRs?: string[];
    providerID?: string;
    externalID?: string;
    unschedulable?: boolean;
    taints?: Taint[];
    configSource?: JsonObject;
  };
  status: {
    capacity?: Amounts;
    allocatable?: Amounts;
    addresses?: { type: string; address: string }[];
    nodeInfo?: { swap?: { capacity?: number } };
    config?: JsonObject;
    features?: JsonObject;
    declaredFeatures?: string[];
  };
}

const TAINTS = FieldPath.of('metadata', 'taints');
const POD_CIDRS = FieldPath.of('spec', 'podCIDRs');

export function validateNode({ spec, status }: Node): FieldError[] {
  const swap = status.nodeInfo?.swap?.capacity;
  return [
    ...validateTaints(spec.taints ?? []),
    ...validateAmounts(status),
    ...(swap !== undefined && swap <= 0
      ? [fieldErrors.invalid('metadata.nodeSwapStatus.capacity', swap, 'must be greater than 0')]
      : []),
    ...validatePodCidrs(spec.podCIDRs ?? []),
  ];
}

/** Upstream validates taints under metadata, and prints a duplicate under the names that Go has. */
function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = TAINTS.index(index);
    const { key, value = '', effect } = taint;
    const errors = validateLabelName(key, path.child('key'));
    const reasons = validateLabelValue(value);
    if (reasons.length > 0) errors.push(fieldErrors.invalid(path.child('value'), value, reasons.join(';')));
    errors.push(...validateTaintEffect(effect, path.child('effect')));
    const identity = JSON.stringify([key, effect]);
    if (seen.has(identity)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      const duplicate = fieldErrors.duplicate(path, shown);
      errors.push({ ...duplicate, detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(identity);
    return errors;
  });
}

function validateAmounts({ capacity = {}, allocatable = {} }: Node['status']): FieldError[] {
  return Object.entries({ capacity, allocatable }).flatMap(([field, amounts]) =>
    Object.entries(amounts).flatMap(([name, amount]) =>
      validateResourceAmount(name, amount, FieldPath.of('status', field, name)),
    ),
  );
}

function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const errors = cidrs.flatMap((cidr, index) => validateCidr(cidr, POD_CIDRS.index(index)));
  if (cidrs.length < 2) return errors;
  const isPair = cidrs.length === 2 && cidrs[0]!.includes(':') !== cidrs[1]!.includes(':');
  const invalid = cidrs.find((cidr) => typeof parseCidr(cidr) === 'string');
  if (invalid !== undefined)
    errors.push(
      fieldErrors.internal(
        POD_CIDRS,
        `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: ${invalid}`,
      ),
    );
  if (!isPair || invalid !== undefined)
    errors.push(
      fieldErrors.invalid(POD_CIDRS, [...cidrs], 'may specify no more than one CIDR for each IP family'),
    );
  return errors;
}

/** What must not change, and what is validated once more. */
export function validateNodeUpdate(node: Node, old: Node): FieldError[] {
  const errors = [...validateAmounts(node.status), ...validateAddresses(node.status.addresses ?? [])];
  const { podCIDRs: now = [], providerID = '', externalID = '' } = node.spec;
  const { podCIDRs: before = [], providerID: oldProvider = '', externalID: oldExternal = '' } = old.spec;
  const cidrsChanged = 'node updates may not change podCIDR except from "" to valid';
  if (before.length > 0 && before.length !== now.length)
    errors.push(fieldErrors.forbidden(POD_CIDRS, cidrsChanged));
  else
    for (const [index, cidr] of before.entries())
      if (cidr !== now[index]) errors.push(fieldErrors.forbidden(POD_CIDRS, cidrsChanged));
  if (oldProvider !== '' && oldProvider !== providerID)
    errors.push(
      fieldErrors.forbidden(
        'spec.providerID',
        'node updates may not change providerID except from "" to valid',
      ),
    );
  errors.push(...validateTaints(node.spec.taints ?? []));
  if (externalID !== oldExternal) errors.push(fieldErrors.forbidden('spec.externalID', 'may not be updated'));
  return errors;
}

function validateAddresses(addresses: readonly { type: string; address: string }[]): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, index) => {
    const identity = JSON.stringify([type, address]);
    const isKnown = seen.has(identity);
    seen.add(identity);
    const path = FieldPath.of('status', 'addresses').index(index);
    return isKnown ? [fieldErrors.duplicate(path, { Type: type, Address: address })] : [];
  });
}
