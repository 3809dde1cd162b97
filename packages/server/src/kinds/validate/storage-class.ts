// Validation of storage classes and classes of attributes.
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonValue,
  type KubeObject,
  validateLabelName,
} from '@instar/machinery';
import { validateOneOf, validateQualified, validateUnchanged } from './checks.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_BYTES = 256 * 1024;

interface TopologyTerm {
  matchLabelExpressions?: { key: string; values: string[] | null }[];
}

export interface StorageClass extends KubeObject {
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowedTopologies?: TopologyTerm[];
}

export interface VolumeAttributesClass extends KubeObject {
  driverName: string;
  parameters?: Record<string, string>;
}

export function validateStorageClass(storage: StorageClass): FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy, volumeBindingMode: mode } = storage;
  return [
    ...validateProvisioner(provisioner, FieldPath.of('provisioner')),
    ...validateParameters(parameters, true),
    ...(reclaimPolicy === ''
      ? []
      : validateOneOf(reclaimPolicy, ['Delete', 'Retain'], FieldPath.of('reclaimPolicy'))),
    ...validateOneOf(mode, ['Immediate', 'WaitForFirstConsumer'], FieldPath.of('volumeBindingMode')),
    ...validateTopologies(storage.allowedTopologies ?? []),
  ];
}

export function validateStorageClassUpdate(storage: StorageClass, old: StorageClass): FieldError[] {
  const fields = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;
  return [
    ...validateStorageClass(storage),
    ...fields.flatMap((field) => validateUnchanged(storage[field], old[field], FieldPath.of(field))),
  ];
}

const validateProvisioner = (name: string, path: FieldPath): FieldError[] =>
  name === '' ? [fieldErrors.required(path)] : validateQualified(name.toLowerCase(), path);

function validateParameters(parameters: Readonly<Record<string, string>>, mayBeEmpty: boolean): FieldError[] {
  const path = FieldPath.of('parameters');
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [fieldErrors.tooLong(path, MAX_PARAMETERS)];
  const errors = entries.flatMap(([key]) =>
    key === '' ? [fieldErrors.invalid(path, key, 'field can not be empty.')] : [],
  );
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > MAX_PARAMETERS_BYTES) errors.push(fieldErrors.tooLong(path, MAX_PARAMETERS_BYTES));
  if (!mayBeEmpty && entries.length === 0)
    errors.push(fieldErrors.required(path, 'must contain at least one key/value pair'));
  return errors;
}

function validateTopologies(terms: readonly TopologyTerm[]): FieldError[] {
  const seen: JsonValue[] = [];
  return terms.flatMap((term, index) => {
    const path = FieldPath.of('allowedTopologies').index(index).child('matchLabelExpressions');
    const errors = validateTopologyTerm(term, path);
    const identity = Object.fromEntries(
      (term.matchLabelExpressions ?? []).map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]),
    );
    for (const other of seen) if (deepEqual(other, identity)) errors.push(fieldErrors.duplicate(path, ''));
    seen.push(identity);
    return errors;
  });
}

function validateTopologyTerm({ matchLabelExpressions = [] }: TopologyTerm, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return matchLabelExpressions.flatMap(({ key, values }, index) => {
    const at = path.index(index);
    const listed = values ?? [];
    const errors = listed.length === 0 ? [fieldErrors.required(at.child('values'))] : [];
    listed.forEach((value, position) => {
      if (listed.indexOf(value) < position)
        errors.push(fieldErrors.duplicate(at.child('values').index(position), value));
    });
    errors.push(...validateLabelName(key, at.child('key')));
    if (keys.has(key)) errors.push(fieldErrors.duplicate(at.child('key'), key));
    keys.add(key);
    return errors;
  });
}

export function validateAttributesClass({
  driverName,
  parameters = {},
}: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(driverName, FieldPath.of('driverName')),
    ...validateParameters(parameters, false),
  ];
}

export function validateAttributesClassUpdate(
  attributes: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  const errors: FieldError[] = [];
  if (attributes.driverName !== old.driverName)
    errors.push(fieldErrors.forbidden('driverName', 'updates to driverName are forbidden.'));
  if (!deepEqual(attributes.parameters ?? null, old.parameters ?? null))
    errors.push(fieldErrors.forbidden('parameters', 'updates to parameters are forbidden.'));
  return [...errors, ...validateAttributesClass(attributes)];
}
