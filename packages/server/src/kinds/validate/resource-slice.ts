// Validation of slices of devices.
import { nameIsDnsSubdomain, validateDns1123Label, validateDns1123Subdomain } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type JsonValue, type KubeObject } from '@instar/machinery';
import { invalidFor, validateDriverName, validateUnchanged } from './checks.ts';
import { validateItems } from './device-claim.ts';
import { type NodeSelector, validateNodeSelector } from './node-selector.ts';

interface Device {
  name: string;
  attributes?: Record<string, Record<string, JsonValue>>;
  taints?: unknown[];
  consumesCounters?: unknown[];
}

export interface ResourceSlice extends KubeObject {
  spec: {
    driver: string;
    pool: { name: string; generation: number; resourceSliceCount: number };
    nodeName?: string;
    nodeSelector?: NodeSelector;
    allNodes?: boolean;
    perDeviceNodeSelection?: boolean;
    devices?: Device[];
    sharedCounters?: { name: string }[];
  };
}

const SPEC = FieldPath.of('spec');
const MAX_DEVICES = 128;
const MAX_ADVANCED_DEVICES = 64;
const MAX_COUNTER_SETS = 8;
const WHERE = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

export function validateResourceSlice({ spec }: ResourceSlice, old?: ResourceSlice): FieldError[] {
  const devices = spec.devices ?? [];
  const isAdvanced = devices.some(
    ({ taints = [], consumesCounters = [] }) => taints.length > 0 || consumesCounters.length > 0,
  );
  return [
    ...validateDriverName(spec.driver, SPEC.child('driver')),
    ...validatePool(spec.pool),
    ...(old === undefined
      ? []
      : [
          ...validateUnchanged(spec.pool.name, old.spec.pool.name, SPEC.child('pool', 'name')),
          ...validateUnchanged(spec.driver, old.spec.driver, SPEC.child('driver')),
          ...validateUnchanged(spec.nodeName, old.spec.nodeName, SPEC.child('nodeName')),
        ]),
    ...validateWhere(spec),
    ...(spec.sharedCounters !== undefined && spec.devices !== undefined
      ? [fieldErrors.invalid(SPEC, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...validateItems(
      devices,
      isAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
      SPEC.child('devices'),
      validateDevice,
      ({ name }) => name,
    ),
    ...validateItems(
      spec.sharedCounters ?? [],
      MAX_COUNTER_SETS,
      SPEC.child('sharedCounters'),
      ({ name }, at) => validateLabel(name, at.child('name')),
      ({ name }) => name,
    ),
  ];
}

const validateLabel = (name: string, path: FieldPath): FieldError[] =>
  name === '' ? [fieldErrors.required(path)] : invalidFor(path, name, validateDns1123Label(name));

function validatePool({ name, generation, resourceSliceCount: count }: ResourceSlice['spec']['pool']) {
  const path = SPEC.child('pool');
  const errors =
    name === ''
      ? [fieldErrors.required(path.child('name'))]
      : name
          .split('/')
          .flatMap((part) => invalidFor(path.child('name'), part, validateDns1123Subdomain(part)));
  if (count <= 0)
    errors.push(fieldErrors.invalid(path.child('resourceSliceCount'), count, 'must be greater than zero'));
  if (generation < 0)
    errors.push(
      fieldErrors.invalid(path.child('generation'), generation, 'must be greater than or equal to zero'),
    );
  return errors;
}

function validateWhere(spec: ResourceSlice['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const given: string[] = [];
  const { nodeName, nodeSelector } = spec;
  if (nodeName === '')
    errors.push(
      fieldErrors.invalid(
        SPEC.child('nodeName'),
        nodeName,
        'must be either unset or set to a non-empty string',
      ),
    );
  else if (nodeName !== undefined) {
    given.push('`nodeName`');
    errors.push(...invalidFor(SPEC.child('nodeName'), nodeName, nameIsDnsSubdomain(nodeName, false)));
  }
  if (nodeSelector !== undefined) {
    given.push('`nodeSelector`');
    errors.push(...validateNodeSelector(nodeSelector, SPEC.child('nodeSelector')));
  }
  for (const field of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[field] === true) given.push(`\`${field}\``);
    else if (spec[field] === false)
      errors.push(fieldErrors.invalid(SPEC.child(field), false, 'must be either unset or set to true'));
  }
  if (given.length === 0) errors.push(fieldErrors.required(SPEC, WHERE));
  if (given.length > 1)
    errors.push(fieldErrors.invalid(SPEC, `{${given.join(', ')}}`, `${WHERE}, but multiple fields are set`));
  return errors;
}

const VALUE_TYPES = ['int', 'bool', 'string', 'version'];

function validateDevice({ name, attributes = {} }: Device, path: FieldPath): FieldError[] {
  return [
    ...validateLabel(name, path.child('name')),
    ...Object.entries(attributes).flatMap(([attribute, value]) => {
      const at = path.child('attributes').key(attribute);
      const given = VALUE_TYPES.filter((type) => value[type] !== undefined);
      if (given.length === 0) return [fieldErrors.required(at, 'exactly one value must be specified')];
      return given.length > 1 ? [fieldErrors.invalid(at, value, 'exactly one value must be specified')] : [];
    }),
  ];
}
