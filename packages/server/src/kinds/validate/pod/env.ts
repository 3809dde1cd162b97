// The environment of containers, and the fields and resources that it and volumes refer to.
import { validateConfigMapKey, validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { EnvFrom, EnvSource, EnvVar, FieldRef, KeyRef, ResourceFieldRef } from './pod-types.ts';
import { quantityOf } from './resource-lists.ts';
import {
  envNameFaults,
  invalidEach,
  requireText,
  validateLabelText,
  validateObjectName,
  validatePathNoBacksteps,
} from './values.ts';

const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** All fields that a reference may name at all. */
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
]);

export function validateEnv(vars: readonly EnvVar[], path: FieldPath): FieldError[] {
  return vars.flatMap((env, index) => {
    const at = path.index(index);
    const name = env.name ?? '';
    return [
      ...(name === '' ? [fieldErrors.required(at.child('name'))] : []),
      ...(name === '' ? [] : invalidEach(at.child('name'), name, envNameFaults(name))),
      ...(env.valueFrom === undefined
        ? []
        : validateSource(env.valueFrom, env.value ?? '', at.child('valueFrom'))),
    ];
  });
}

function validateSource(source: EnvSource, value: string, path: FieldPath): FieldError[] {
  const errors = [
    ...ifSet(source.fieldRef, (ref) => validateFieldRef(ref, ENV_FIELDS, path.child('fieldRef'))),
    ...ifSet(source.resourceFieldRef, (ref) =>
      validateResourceFieldRef(ref, false, path.child('resourceFieldRef')),
    ),
    ...ifSet(source.configMapKeyRef, (ref) => validateKeyRef(ref, path.child('configMapKeyRef'))),
    ...ifSet(source.secretKeyRef, (ref) => validateKeyRef(ref, path.child('secretKeyRef'))),
    ...ifSet(source.fileKeyRef, (ref) => validateFileKeyRef(ref, path.child('fileKeyRef'))),
  ];
  const count = Object.keys(source).length;
  if (count === 0) {
    const sources = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(fieldErrors.invalid(path, '', `must specify one of: ${sources}`));
  } else if (value !== '')
    errors.push(fieldErrors.invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1)
    errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

const ifSet = <T>(value: T | undefined, validate: (value: T) => FieldError[]): FieldError[] =>
  value === undefined ? [] : validate(value);

const SUBSCRIPTED = /^(.*)\['(.*)'\]$/s;

export function validateFieldRef(
  { apiVersion = '', fieldPath = '' }: FieldRef,
  fields: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (apiVersion === '') return [fieldErrors.required(path.child('apiVersion'))];
  if (fieldPath === '') return [fieldErrors.required(path.child('fieldPath'))];
  const unreadable = (why: string) => [
    fieldErrors.invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== 'v1') return unreadable(`unsupported pod version: ${apiVersion}`);
  const [, base, key] = SUBSCRIPTED.exec(fieldPath) ?? [];
  if (base !== undefined) {
    if (base !== 'metadata.annotations' && base !== 'metadata.labels')
      return unreadable(`field label does not support subscript: ${fieldPath}`);
    const name = base === 'metadata.annotations' ? key!.toLowerCase() : key!;
    return invalidEach(path, name, validateQualifiedName(name));
  }
  if (!KNOWN_FIELDS.has(fieldPath)) return unreadable(`field label not supported: ${fieldPath}`);
  return fields.includes(fieldPath)
    ? []
    : [fieldErrors.notSupported(path.child('fieldPath'), fieldPath, fields)];
}

const RESOURCES = ['cpu', 'ephemeral-storage', 'memory'];
const RESOURCE_FIELDS = ['limits', 'requests'].flatMap((part) => RESOURCES.map((name) => `${part}.${name}`));
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;
const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

export function validateResourceFieldRef(
  { containerName, resource = '', divisor }: ResourceFieldRef,
  inVolume: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (inVolume && !containerName) errors.push(fieldErrors.required(path.child('containerName')));
  else if (resource === '') errors.push(fieldErrors.required(path.child('resource')));
  else if (!RESOURCE_FIELDS.includes(resource) && !HUGE_PAGES.test(resource))
    errors.push(fieldErrors.notSupported(path.child('resource'), resource, RESOURCE_FIELDS));
  return [...errors, ...validateDivisor(resource, divisor ?? '0', path.child('divisor'))];
}

function validateDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  if (quantityOf(divisor).unscaled === 0n) return [];
  const refuse = (values: string, what: string) => [
    fieldErrors.invalid(
      path,
      resource,
      `only divisor's values ${values} are supported with the ${what} resource`,
    ),
  ];
  const sizes = SIZES.join(', ');
  if (/\.cpu$/.test(resource)) return ['1m', '1'].includes(divisor) ? [] : refuse('1m and 1', 'cpu');
  if (SIZES.includes(divisor)) return [];
  if (/\.memory$/.test(resource)) return refuse(sizes, 'memory');
  if (/\.ephemeral-storage$/.test(resource)) return refuse(sizes, 'local ephemeral storage');
  return HUGE_PAGES.test(resource) ? refuse(sizes, 'hugepages') : [];
}

function validateKeyRef({ name = '', key = '' }: KeyRef, path: FieldPath): FieldError[] {
  return [
    ...validateObjectName(name, path.child('name')),
    ...(key === '' ? [fieldErrors.required(path.child('key'))] : []),
    ...(key === '' ? [] : invalidEach(path.child('key'), key, validateConfigMapKey(key))),
  ];
}

function validateFileKeyRef(
  { key = '', volumeName = '', path: file = '' }: NonNullable<EnvSource['fileKeyRef']>,
  path: FieldPath,
): FieldError[] {
  return [
    ...requireText(key, path.child('key')),
    ...(key === '' ? [] : invalidEach(path.child('key'), key, envNameFaults(key))),
    ...requireText(volumeName, path.child('volumeName')),
    ...(volumeName === '' ? [] : validateLabelText(volumeName, path.child('volumeName'))),
    ...requireText(file, path.child('path')),
    ...(file === '' ? [] : validatePathNoBacksteps(file, path.child('path'))),
  ];
}

export function validateEnvFrom(sources: readonly EnvFrom[], path: FieldPath): FieldError[] {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const at = path.index(index);
    const errors = [
      ...(prefix === '' ? [] : invalidEach(at.child('prefix'), prefix, envNameFaults(prefix))),
      ...ifSet(configMapRef, ({ name }) => validateRefName(name, at.child('configMapRef', 'name'))),
      ...ifSet(secretRef, ({ name }) => validateRefName(name, at.child('secretRef', 'name'))),
    ];
    // The path of the list, as upstream has it.
    if (configMapRef === undefined && secretRef === undefined)
      errors.push(fieldErrors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (configMapRef !== undefined && secretRef !== undefined)
      errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}

const validateRefName = (name: string | undefined, path: FieldPath): FieldError[] =>
  name ? validateObjectName(name, path) : [fieldErrors.required(path)];
