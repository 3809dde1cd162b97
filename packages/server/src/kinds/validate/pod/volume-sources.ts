// The sources of volumes that name a storage system: what each must say.
import { validateDns1123Subdomain } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
} from '@instar/machinery';
import {
  requireText,
  validateChoice,
  validateDescendingPath,
  validateLabelText,
  validateObjectName,
} from './values.ts';

type SourceValidator = (source: JsonObject, path: FieldPath) => FieldError[];

const text = (source: JsonObject, name: string): string => String(source[name] ?? '');

/** Requires texts that are not empty. */
const needs =
  (...names: string[]): SourceValidator =>
  (source, path) =>
    names.flatMap((name) => requireText(text(source, name), path.child(name)));

const needsItems = (source: JsonObject, name: string, path: FieldPath): FieldError[] =>
  Array.isArray(source[name]) && source[name].length > 0 ? [] : [fieldErrors.required(path.child(name))];

const MAX_PARTITION = 255;

const withPartition =
  (name: string): SourceValidator =>
  (source, path) => {
    const partition = Number(source['partition'] ?? 0);
    const errors = requireText(text(source, name), path.child(name));
    if (partition < 0 || partition > MAX_PARTITION)
      errors.push(
        fieldErrors.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive'),
      );
    return errors;
  };

const secretRefErrors = (source: JsonObject, path: FieldPath): FieldError[] =>
  isJsonObject(source['secretRef']) && !source['secretRef']['name']
    ? [fieldErrors.required(path.child('secretRef', 'name'))]
    : [];

const INITIATOR = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
} as const;

function initiatorFault(name: string): string | undefined {
  const format = Object.keys(INITIATOR).find((prefix) => name.startsWith(prefix));
  if (format === undefined) return 'must be valid format starting with iqn, eui, or naa';
  return INITIATOR[format as keyof typeof INITIATOR].test(name) ? undefined : 'must be valid format';
}

function validateLun(lun: number, path: FieldPath): FieldError[] {
  return lun >= 0 && lun <= 255
    ? []
    : [fieldErrors.invalid(path.child('lun'), lun, 'must be between 0 and 255, inclusive')];
}

function validateIscsi(source: JsonObject, path: FieldPath): FieldError[] {
  const iqn = text(source, 'iqn');
  const errors = requireText(text(source, 'targetPortal'), path.child('targetPortal'));
  const fault = iqn === '' ? undefined : initiatorFault(iqn);
  if (iqn === '') errors.push(fieldErrors.required(path.child('iqn')));
  if (fault !== undefined) errors.push(fieldErrors.invalid(path.child('iqn'), iqn, fault));
  errors.push(...validateLun(Number(source['lun'] ?? 0), path));
  if ((source['chapAuthDiscovery'] || source['chapAuthSession']) && source['secretRef'] === undefined)
    errors.push(fieldErrors.required(path.child('secretRef')));
  const initiator = source['initiatorName'];
  if (typeof initiator !== 'string') return errors;
  const wrong = initiatorFault(initiator);
  if (wrong !== undefined) errors.push(fieldErrors.invalid(path.child('initiatorname'), initiator, wrong));
  return errors;
}

function validateFc(source: JsonObject, path: FieldPath): FieldError[] {
  const {
    targetWWNs = [],
    wwids = [],
    lun,
  } = source as { targetWWNs?: string[]; wwids?: string[]; lun?: number };
  const at = path.child('targetWWNs');
  const errors: FieldError[] = [];
  if (targetWWNs.length === 0 && wwids.length === 0)
    errors.push(fieldErrors.required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targetWWNs.length === 0) return errors;
  if (wwids.length > 0) {
    const why = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(fieldErrors.invalid(at, targetWWNs, why));
  }
  if (lun === undefined)
    errors.push(fieldErrors.required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  else errors.push(...validateLun(lun, path));
  return errors;
}

function validateNfs(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = needs('server', 'path')(source, path);
  const exported = text(source, 'path');
  if (!exported.startsWith('/'))
    errors.push(fieldErrors.invalid(path.child('path'), exported, 'must be an absolute path'));
  return errors;
}

const HOST_PORTS = 'must be a host:port pair or multiple pairs separated by commas';

function validateQuobyte(source: JsonObject, path: FieldPath): FieldError[] {
  const registry = text(source, 'registry');
  const errors: FieldError[] = [];
  if (registry === '') errors.push(fieldErrors.required(path.child('registry'), HOST_PORTS));
  else if (text(source, 'tenant').length >= 65) {
    const why = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(fieldErrors.required(path.child('tenant'), why));
  } else {
    for (const pair of registry.split(','))
      if (!/^([^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
        errors.push(fieldErrors.invalid(path.child('registry'), registry, HOST_PORTS));
  }
  return [...errors, ...needs('volume')(source, path)];
}

function validateFlocker(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(source, 'datasetName');
  const uuid = text(source, 'datasetUUID');
  const errors: FieldError[] = [];
  if (name === '' && uuid === '')
    errors.push(fieldErrors.required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '') {
    const why = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(fieldErrors.invalid(path, 'resource', why));
  }
  if (name.includes('/'))
    errors.push(fieldErrors.invalid(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
}

function validateFlexVolume(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = needs('driver')(source, path);
  for (const key of Object.keys(isJsonObject(source['options']) ? source['options'] : {})) {
    if (!/\.(kubernetes|k8s)\.io$/.test(`.${key.split('/', 1)[0]!.toLowerCase()}`)) continue;
    const why = 'kubernetes.io and k8s.io namespaces are reserved';
    errors.push(fieldErrors.invalid(path.child('options').key(key), key, why));
  }
  return errors;
}

const MANAGED_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function validateAzureDisk(source: JsonObject, path: FieldPath): FieldError[] {
  const uri = text(source, 'diskURI');
  const kind = text(source, 'kind');
  const errors = [
    ...needs('diskName', 'diskURI')(source, path),
    ...validateChoice(
      text(source, 'cachingMode'),
      ['None', 'ReadOnly', 'ReadWrite'],
      path.child('cachingMode'),
    ),
    ...validateChoice(kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ];
  const at = path.child('diskURI');
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/'))
    errors.push(fieldErrors.notSupported(at, uri, [MANAGED_URI]));
  if (kind !== 'Managed' && !uri.startsWith('https://'))
    errors.push(fieldErrors.notSupported(at, uri, [BLOB_URI]));
  return errors;
}

function validateStorageOs(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(source, 'volumeName');
  const namespace = text(source, 'volumeNamespace');
  return [
    ...(name === ''
      ? [fieldErrors.required(path.child('volumeName'))]
      : validateLabelText(name, path.child('volumeName'))),
    ...(namespace === '' ? [] : validateLabelText(namespace, path.child('volumeNamespace'))),
    ...secretRefErrors(source, path),
  ];
}

const MAX_DRIVER_NAME = 63;

function validateCsi(source: JsonObject, path: FieldPath): FieldError[] {
  const driver = text(source, 'driver');
  const at = path.child('driver');
  const errors: FieldError[] = [];
  if (driver === '') errors.push(fieldErrors.required(at));
  else {
    if (driver.length > MAX_DRIVER_NAME) errors.push(fieldErrors.tooLong(at, MAX_DRIVER_NAME));
    for (const fault of validateDns1123Subdomain(driver.toLowerCase()))
      errors.push(fieldErrors.invalid(at, driver, fault));
  }
  const secret = source['nodePublishSecretRef'];
  if (!isJsonObject(secret)) return errors;
  const name = String(secret['name'] ?? '');
  return name === ''
    ? [...errors, fieldErrors.required(path.child('nodePublishSecretRef', 'name'))]
    : [...errors, ...validateObjectName(name, path.child('name'))];
}

/** By the field of the volume. */
export const SOURCE_VALIDATORS: Readonly<Record<string, SourceValidator>> = {
  gitRepo: (source, path) => [
    ...needs('repository')(source, path),
    ...validateDescendingPath(text(source, 'directory'), path.child('directory')),
  ],
  gcePersistentDisk: withPartition('pdName'),
  awsElasticBlockStore: withPartition('volumeID'),
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: needs('endpoints', 'path'),
  flocker: validateFlocker,
  rbd: (source, path) => [...needsItems(source, 'monitors', path), ...needs('image')(source, path)],
  cinder: (source, path) => [...needs('volumeID')(source, path), ...secretRefErrors(source, path)],
  cephfs: (source, path) => needsItems(source, 'monitors', path),
  quobyte: validateQuobyte,
  fc: validateFc,
  flexVolume: validateFlexVolume,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi: validateCsi,
};
