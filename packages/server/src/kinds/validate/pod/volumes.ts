// The volumes of a pod: each has a name and exactly one source.
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonObject,
  type ObjectMeta,
} from '@instar/machinery';
import { validateClaimTemplate } from './claim-template.ts';
import type { KeyToPath, Volume } from './pod-types.ts';
import { validateProjected } from './projected-volume.ts';
import { quantityOf } from './resource-lists.ts';
import {
  requireText,
  validateChoice,
  validateFileMode,
  validateLabelText,
  validateOptionalChoice,
  validatePathNoBacksteps,
} from './values.ts';
import { validateDownwardFile, validateKeyToPath } from './volume-files.ts';
import { SOURCE_VALIDATORS } from './volume-sources.ts';

export interface VolumeContext {
  /** Without a name for templates. */
  readonly metadata: ObjectMeta;
  readonly isPod: boolean;
}

/** The valid volumes by name, and what is wrong with the others. */
export function validateVolumes(
  volumes: readonly Volume[],
  context: VolumeContext,
  path: FieldPath,
): { byName: Map<string, Volume>; errors: FieldError[] } {
  const byName = new Map<string, Volume>();
  const errors: FieldError[] = [];
  const podName = context.metadata.name;
  const created = new Set(
    volumes.filter(({ ephemeral }) => podName && ephemeral).map(({ name }) => `${podName}-${name}`),
  );
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const own = validateVolume(volume, context, at);
    const { name = '' } = volume;
    if (byName.has(name)) own.push(fieldErrors.duplicate(at.child('name'), name));
    if (own.length === 0) byName.set(name, volume);
    errors.push(...own);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const why = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(fieldErrors.invalid(at.child('persistentVolumeClaim', 'claimName'), claim, why));
    }
  }
  return { byName, errors };
}

/** In upstream's order: of several sources, the first one counts. */
const SOURCES = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs'],
  ...['iscsi', 'glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte'],
  ...['downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk'],
  ...['portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
];
/** Where the path in errors is not the field. */
const ODD_NAMES = new Map([['gcePersistentDisk', 'persistentDisk']]);
const ODD_SECOND_NAMES = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);

function validateVolume(volume: Volume, context: VolumeContext, path: FieldPath): FieldError[] {
  const { name = '' } = volume;
  const [first, ...others] = SOURCES.filter((source) => volume[source] !== undefined);
  const errors =
    first === undefined
      ? [fieldErrors.required(path, 'must specify a volume type')]
      : validateSource(volume, first, context, path);
  for (const other of others) {
    const at = path.child(ODD_SECOND_NAMES.get(other) ?? other);
    errors.push(fieldErrors.forbidden(at, 'may not specify more than 1 volume type'));
  }
  const nameAt = path.child('name');
  return [...errors, ...(name === '' ? [fieldErrors.required(nameAt)] : validateLabelText(name, nameAt))];
}

const HOST_PATH_TYPES = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];

function validateSource(
  volume: Volume,
  source: string,
  context: VolumeContext,
  path: FieldPath,
): FieldError[] {
  const at = path.child(ODD_NAMES.get(source) ?? source);
  switch (source) {
    case 'emptyDir':
      return quantityOf(volume.emptyDir!.sizeLimit).unscaled < 0n
        ? [fieldErrors.forbidden(at.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
        : [];
    case 'hostPath':
      return validateHostPath(volume.hostPath!, at);
    case 'secret':
      return validateFiles(volume.secret!.secretName, 'secretName', volume.secret!, at);
    case 'configMap':
      return validateFiles(volume.configMap!.name, 'name', volume.configMap!, at);
    case 'persistentVolumeClaim':
      return requireText(volume.persistentVolumeClaim!.claimName, at.child('claimName'));
    case 'downwardAPI':
      return [
        ...validateFileMode(volume.downwardAPI!.defaultMode, at.child('defaultMode')),
        ...(volume.downwardAPI!.items ?? []).flatMap((file) => validateDownwardFile(file, at)),
      ];
    case 'projected':
      return validateProjected(volume.projected!, at);
    case 'ephemeral':
      return validateEphemeral(volume, context, path);
    case 'image':
      return [
        ...(context.isPod ? requireText(volume.image!.reference, at.child('reference')) : []),
        ...validateChoice(
          volume.image!.pullPolicy,
          ['Always', 'IfNotPresent', 'Never'],
          at.child('pullPolicy'),
        ),
      ];
    default:
      return [
        ...SOURCE_VALIDATORS[source]!(volume[source] as JsonObject, at),
        ...(source === 'iscsi' ? validateIscsiName(volume, path) : []),
      ];
  }
}

function validateHostPath({ path: host = '', type }: NonNullable<Volume['hostPath']>, path: FieldPath) {
  if (host === '') return [fieldErrors.required(path.child('path'))];
  return [
    ...validatePathNoBacksteps(host, path.child('path')),
    ...validateOptionalChoice(type, HOST_PATH_TYPES, path.child('type')),
  ];
}

function validateFiles(
  name: string | undefined,
  nameField: string,
  { items = [], defaultMode }: { items?: KeyToPath[]; defaultMode?: number },
  path: FieldPath,
): FieldError[] {
  return [
    ...requireText(name, path.child(nameField)),
    ...validateFileMode(defaultMode, path.child('defaultMode')),
    ...items.flatMap((item, index) => validateKeyToPath(item, path.child('items').index(index))),
  ];
}

function validateEphemeral(volume: Volume, { metadata }: VolumeContext, path: FieldPath): FieldError[] {
  const at = path.child('ephemeral', 'volumeClaimTemplate');
  const template = volume.ephemeral!.volumeClaimTemplate;
  const errors = template === undefined ? [fieldErrors.required(at)] : validateClaimTemplate(template, at);
  if (!metadata.name || !volume.name) return errors;
  const claim = `${metadata.name}-${volume.name}`;
  for (const fault of nameIsDnsSubdomain(claim, false))
    errors.push(fieldErrors.invalid(path.child('name'), volume.name, `PVC name ${quoteGo(claim)}: ${fault}`));
  return errors;
}

const MAX_ISCSI_NAME = 64;

function validateIscsiName(volume: Volume, path: FieldPath): FieldError[] {
  const { initiatorName, targetPortal } = volume['iscsi'] as {
    initiatorName?: string;
    targetPortal?: string;
  };
  if (initiatorName === undefined || `${volume.name}:${targetPortal ?? ''}`.length <= MAX_ISCSI_NAME)
    return [];
  const why =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [fieldErrors.invalid(path.child('name'), volume.name, why)];
}
