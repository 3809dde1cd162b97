// Validation of persistent volumes, and of their specs in volume attachments ("inline").
import { posix } from 'node:path';
import { nameIsDnsSubdomain } from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import { invalidFor, validateOneOf, validateUnchanged } from './checks.ts';
import { type NodeSelector, validateNodeSelector } from './node-selector.ts';
import { type Amounts, validateBasicAmount, validatePositiveAmount } from './quantities.ts';
import { VOLUME_SOURCES } from './volume-source.ts';

export interface PersistentVolumeSpec {
  accessModes?: string[];
  capacity?: Amounts;
  claimRef?: JsonObject;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  volumeAttributesClassName?: string;
  nodeAffinity?: { required?: NodeSelector };
}

export interface PersistentVolume extends KubeObject {
  spec: PersistentVolumeSpec;
  status: JsonObject;
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
const INLINE = 'may not be specified in the context of inline volumes';

export function validateAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const errors = modes.flatMap((mode) => validateOneOf(mode, ACCESS_MODES, path));
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others)
    errors.push(fieldErrors.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  volume: string,
  inline: boolean,
  path: FieldPath,
): FieldError[] {
  const modes = spec.accessModes ?? [];
  return [
    ...(inline ? validateInline(spec, path) : []),
    ...(modes.length === 0 ? [fieldErrors.required(path.child('accessModes'))] : []),
    ...validateAccessModes(modes, path.child('accessModes')),
    ...(inline ? [] : validateCapacity(spec.capacity ?? {}, path.child('capacity'))),
    ...validateReclaimPolicy(spec.persistentVolumeReclaimPolicy ?? '', inline, path),
    ...validateAffinity(spec, inline, path.child('nodeAffinity')),
    ...validateSources(spec, volume, path),
    ...validateClasses(spec, inline, path),
  ];
}

const sourceOf = (spec: PersistentVolumeSpec, field: string): JsonObject | undefined =>
  (spec as unknown as Record<string, JsonObject | undefined>)[field];

function validateInline(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.claimRef !== undefined) errors.push(fieldErrors.forbidden(path.child('claimRef'), INLINE));
  if (Object.keys(spec.capacity ?? {}).length > 0)
    errors.push(fieldErrors.forbidden(path.child('capacity'), INLINE));
  if (sourceOf(spec, 'csi') === undefined)
    errors.push(
      fieldErrors.required(path.child('csi'), 'has to be specified in the context of inline volumes'),
    );
  return errors;
}

function validateCapacity(capacity: Amounts, path: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [fieldErrors.required(path)] : [];
  if (!Object.hasOwn(capacity, 'storage') || names.length > 1)
    errors.push(fieldErrors.notSupported(path, names.length === 0 ? null : { ...capacity }, ['storage']));
  return [
    ...errors,
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...validateBasicAmount(amount, path.key(name)),
      ...validatePositiveAmount(amount, path.key(name)),
    ]),
  ];
}

function validateReclaimPolicy(policy: string, inline: boolean, path: FieldPath): FieldError[] {
  if (policy === '') return [];
  const at = path.child('persistentVolumeReclaimPolicy');
  if (!inline) return validateOneOf(policy, RECLAIM_POLICIES, at);
  return policy === 'Retain'
    ? []
    : [fieldErrors.forbidden(at, 'may only be Retain in the context of inline volumes')];
}

function validateAffinity({ nodeAffinity }: PersistentVolumeSpec, inline: boolean, path: FieldPath) {
  if (nodeAffinity === undefined) return [];
  if (inline) return [fieldErrors.forbidden(path, INLINE)];
  return nodeAffinity.required === undefined
    ? [fieldErrors.required(path.child('required'), 'must specify required node constraints')]
    : validateNodeSelector(nodeAffinity.required, path.child('required'));
}

/** A flexVolume is validated even as a second source, as upstream does. */
function validateSources(spec: PersistentVolumeSpec, volume: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const { field, at = field, second = field, validate } of VOLUME_SOURCES) {
    const source = sourceOf(spec, field);
    if (source === undefined) continue;
    if (count > 0 && field !== 'flexVolume') {
      errors.push(fieldErrors.forbidden(path.child(second), 'may not specify more than 1 volume type'));
      continue;
    }
    count++;
    errors.push(...validate(source, path.child(at), volume));
    if (field === 'local' && spec.nodeAffinity === undefined)
      errors.push(fieldErrors.required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a volume type'));
  const host = sourceOf(spec, 'hostPath');
  const isRoot = host !== undefined && posix.normalize(String(host['path'] ?? '')) === '/';
  if (isRoot && spec.persistentVolumeReclaimPolicy === 'Recycle')
    errors.push(
      fieldErrors.forbidden(
        path.child('persistentVolumeReclaimPolicy'),
        "may not be 'recycle' for a hostPath mount of '/'",
      ),
    );
  return errors;
}

function validateClasses(spec: PersistentVolumeSpec, inline: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { storageClassName: storage = '', volumeMode: mode, volumeAttributesClassName: attributes } = spec;
  if (storage !== '') {
    const at = path.child('storageClassName');
    if (inline) errors.push(fieldErrors.forbidden(at, INLINE));
    else errors.push(...invalidFor(at, storage, nameIsDnsSubdomain(storage, false)));
  }
  if (!inline) errors.push(...validateOneOf(mode, VOLUME_MODES, path.child('volumeMode')));
  else if (mode !== undefined && mode !== 'Filesystem')
    errors.push(
      fieldErrors.forbidden(
        path.child('volumeMode'),
        'may not specify volumeMode other than Filesystem in the context of inline volumes',
      ),
    );
  if (attributes === undefined) return errors;
  const at = path.child('volumeAttributesClassName');
  if (attributes === '') errors.push(fieldErrors.required(at, 'an empty string is disallowed'));
  else errors.push(...invalidFor(at, attributes, nameIsDnsSubdomain(attributes, false)));
  if (sourceOf(spec, 'csi') === undefined)
    errors.push(
      fieldErrors.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName'),
    );
  return errors;
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** Whose volumes cannot have the annotation. */
const WITHOUT_MOUNT_OPTIONS: ReadonlySet<string> = new Set([
  'hostPath',
  'flocker',
  'fc',
  'flexVolume',
  'portworxVolume',
  'scaleIO',
  'local',
  'storageos',
  'csi',
]);

export function validatePersistentVolume({ metadata, spec }: PersistentVolume): FieldError[] {
  return validateVolumeSpec(spec, metadata.name ?? '', false, FieldPath.of('spec'));
}

export function validateMountOptions({ metadata, spec }: PersistentVolume): FieldError[] {
  const mayHave = VOLUME_SOURCES.some(
    ({ field }) => !WITHOUT_MOUNT_OPTIONS.has(field) && sourceOf(spec, field) !== undefined,
  );
  if (mayHave || !Object.hasOwn(metadata.annotations ?? {}, MOUNT_OPTIONS)) return [];
  const path = FieldPath.of('metadata', 'annotations', MOUNT_OPTIONS);
  return [fieldErrors.forbidden(path, 'may not specify mount options for this volume type')];
}

/** Sources are immutable, except that a missing secret for growing may be added. */
export function validatePersistentVolumeUpdate(
  volume: PersistentVolume,
  old: PersistentVolume,
): FieldError[] {
  const errors = [
    ...validatePersistentVolume(volume),
    ...validateMountOptions(volume),
    ...validatePersistentVolume(volume),
  ];
  if (!deepEqual(sourcesOf(volume.spec, old.spec), sourcesOf(old.spec, old.spec)))
    errors.push(
      fieldErrors.forbidden(
        'spec.persistentvolumesource',
        'spec.persistentvolumesource is immutable after creation',
      ),
    );
  errors.push(...validateUnchanged(volume.spec.volumeMode, old.spec.volumeMode, FieldPath.of('volumeMode')));
  if (old.spec.nodeAffinity !== undefined)
    errors.push(
      ...validateUnchanged(
        volume.spec.nodeAffinity,
        old.spec.nodeAffinity,
        FieldPath.of('nodeAffinity'),
        'field is immutable, except for updating from beta label to GA',
      ),
    );
  const { volumeAttributesClassName: attributes } = volume.spec;
  if (old.spec.volumeAttributesClassName !== undefined && attributes === undefined)
    errors.push(
      fieldErrors.forbidden(
        'spec.volumeAttributesClassName',
        'update from non-nil value to nil is forbidden',
      ),
    );
  return errors;
}

function sourcesOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): JsonValue {
  const sources = VOLUME_SOURCES.map(({ field }) => sourceOf(spec, field) ?? null);
  const csi = sourceOf(spec, 'csi');
  const before = sourceOf(old, 'csi');
  if (csi === undefined || before === undefined || before['controllerExpandSecretRef'] !== undefined)
    return sources;
  const { controllerExpandSecretRef: _, ...rest } = csi;
  return [...sources.slice(0, -1), rest];
}
