// How containers mount volumes, as files or as devices.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { Container, Volume, VolumeMount } from './pod-types.ts';
import { validateDescendingPath, validatePathNoBacksteps } from './values.ts';

export type VolumesByName = ReadonlyMap<string, Volume>;

export function validateMounts(container: Container, volumes: VolumesByName, path: FieldPath): FieldError[] {
  const devices = new Map((container.volumeDevices ?? []).map(({ name, devicePath }) => [name, devicePath]));
  const mounted = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const errors = validateMount(mount, devices, volumes, mounted, path.index(index));
    mounted.add(mount.mountPath ?? '');
    return [...errors, ...validateMountOptions(mount, container, path, path.index(index))];
  });
}

function validateMount(
  { name = '', mountPath = '' }: VolumeMount,
  devices: ReadonlyMap<string, string>,
  volumes: VolumesByName,
  mounted: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const nameAt = path.child('name');
  const pathAt = path.child('mountPath');
  if (name === '') errors.push(fieldErrors.required(nameAt));
  if (!volumes.has(name)) errors.push(fieldErrors.notFound(nameAt, name));
  if (mountPath === '') errors.push(fieldErrors.required(pathAt));
  if (mounted.has(mountPath)) errors.push(fieldErrors.invalid(pathAt, mountPath, 'must be unique'));
  if (devices.has(name))
    errors.push(fieldErrors.invalid(nameAt, name, 'must not already exist in volumeDevices'));
  if ([...devices.values()].includes(mountPath))
    errors.push(fieldErrors.invalid(pathAt, mountPath, 'must not already exist as a path in volumeDevices'));
  return errors;
}

/** Some errors have the path of the list, as upstream. */
function validateMountOptions(
  mount: VolumeMount,
  container: Container,
  path: FieldPath,
  at: FieldPath,
): FieldError[] {
  const { subPath = '', subPathExpr = '' } = mount;
  const errors = subPath === '' ? [] : validateDescendingPath(subPath, path.child('subPath'));
  if (subPathExpr !== '') {
    if (subPath !== '') {
      const why = 'subPathExpr and subPath are mutually exclusive';
      errors.push(fieldErrors.invalid(at.child('subPathExpr'), subPathExpr, why));
    }
    errors.push(...validateDescendingPath(subPathExpr, path.child('subPathExpr')));
  }
  return [
    ...errors,
    ...validatePropagation(mount.mountPropagation, container, path.child('mountPropagation')),
    ...validateRecursiveReadOnly(mount, path.child('recursiveReadOnly')),
  ];
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function validatePropagation(mode: string | undefined, { securityContext }: Container, path: FieldPath) {
  if (mode === undefined) return [];
  if (!PROPAGATIONS.includes(mode)) return [fieldErrors.notSupported(path, mode, PROPAGATIONS)];
  if (mode !== 'Bidirectional' || securityContext?.privileged) return [];
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [fieldErrors.forbidden(path, why)];
}

const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function validateRecursiveReadOnly(mount: VolumeMount, path: FieldPath): FieldError[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation } = mount;
  if (mode === undefined || mode === 'Disabled') return [];
  if (!RECURSIVE.includes(mode)) return [fieldErrors.notSupported(path, mode, RECURSIVE)];
  const errors: FieldError[] = [];
  if (!readOnly) errors.push(fieldErrors.forbidden(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    const why = 'may only be specified when mountPropagation is None or not specified';
    errors.push(fieldErrors.forbidden(path, why));
  }
  return errors;
}

export function validateDevices(container: Container, volumes: VolumesByName, path: FieldPath): FieldError[] {
  const mounts = new Map((container.volumeMounts ?? []).map(({ name, mountPath }) => [name, mountPath]));
  const names = new Set<string>();
  const paths = new Set<string>();
  return (container.volumeDevices ?? []).flatMap(({ name = '', devicePath = '' }, index) => {
    const nameAt = path.index(index).child('name');
    const pathAt = path.index(index).child('devicePath');
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    const refuse = (at: FieldPath, value: string, why: string): void => {
      errors.push(fieldErrors.invalid(at, value, why));
    };
    if (name === '') errors.push(fieldErrors.required(nameAt));
    if (names.has(name)) refuse(nameAt, name, 'must be unique');
    if (volume === undefined) errors.push(fieldErrors.notFound(nameAt, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      refuse(nameAt, name, why);
    }
    if (devicePath === '') errors.push(fieldErrors.required(pathAt));
    if (paths.has(devicePath)) refuse(pathAt, devicePath, 'must be unique');
    if (validatePathNoBacksteps(devicePath, path).length > 0)
      refuse(pathAt, devicePath, "can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mounts.has(name)) refuse(nameAt, name, 'must not already exist in volumeMounts');
    if ([...mounts.values()].includes(devicePath))
      refuse(pathAt, devicePath, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
    return errors;
  });
}
