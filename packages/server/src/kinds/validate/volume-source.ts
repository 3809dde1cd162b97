// Validation of the sources of persistent volumes, one function a source. Drivers of old in-tree volumes are
// validated as upstream does, although they no longer work there.
import { nameIsDnsLabel, validateDns1123Label, validateDns1123Subdomain } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, type JsonObject } from '@instar/machinery';
import { invalidFor, validateDriverName, validateOneOf } from './checks.ts';

type ValidateSource = (source: JsonObject, path: FieldPath, volume: string) => FieldError[];

const textOf = (source: JsonObject, name: string): string => String(source[name] ?? '');
const countOf = (source: JsonObject, name: string): number =>
  Array.isArray(source[name]) ? source[name].length : 0;

const required = (source: JsonObject, path: FieldPath, ...names: string[]): FieldError[] =>
  names.flatMap((name) => (textOf(source, name) === '' ? [fieldErrors.required(path.child(name))] : []));

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const validateNoBacksteps = (path: string, at: FieldPath): FieldError[] =>
  path.split('/').includes('..') ? [fieldErrors.invalid(at, path, "must not contain '..'")] : [];

const hostPath: ValidateSource = (source, path) => {
  const missing = required(source, path, 'path');
  if (missing.length > 0) return missing;
  return [
    ...validateNoBacksteps(textOf(source, 'path'), path.child('path')),
    ...validateOneOf(source['type'] as string | undefined, HOST_PATH_TYPES, path.child('type')),
  ];
};

const local: ValidateSource = (source, path) => {
  const missing = required(source, path, 'path');
  return missing.length > 0 ? missing : validateNoBacksteps(textOf(source, 'path'), path.child('path'));
};

const nfs: ValidateSource = (source, path) => [
  ...required(source, path, 'server', 'path'),
  ...(textOf(source, 'path').startsWith('/')
    ? []
    : [fieldErrors.invalid(path.child('path'), textOf(source, 'path'), 'must be an absolute path')]),
];

const MAX_LUN = 255;
const LUN_RANGE = `must be between 0 and ${MAX_LUN}, inclusive`;
const isLun = (lun: number): boolean => lun >= 0 && lun <= MAX_LUN;

const partition = (source: JsonObject, path: FieldPath): FieldError[] => {
  const number = Number(source['partition'] ?? 0);
  return isLun(number)
    ? []
    : [fieldErrors.invalid(path.child('partition'), number, 'must be between 1 and 255, inclusive')];
};

const INITIATORS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function validateInitiator(name: string, path: FieldPath): FieldError[] {
  const sort = name.slice(0, 3);
  const isValid = Object.hasOwn(INITIATORS, sort) && INITIATORS[sort]!.test(name);
  return isValid ? [] : [fieldErrors.invalid(path, name, 'must be valid format')];
}

const MAX_INITIATOR = 64;
const TOO_LONG_INITIATOR =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

const iscsi: ValidateSource = (source, path, volume) => {
  const [portal, iqn] = [textOf(source, 'targetPortal'), textOf(source, 'iqn')];
  const errors = required(source, path, 'targetPortal');
  const initiator = source['initiatorName'];
  if (initiator !== undefined && `${volume}:${portal}`.length > MAX_INITIATOR)
    errors.push(fieldErrors.invalid(path.child('targetportal'), portal, TOO_LONG_INITIATOR));
  if (iqn === '') errors.push(fieldErrors.required(path.child('iqn')));
  else errors.push(...validateInitiator(iqn, path.child('iqn')));
  const lun = Number(source['lun'] ?? 0);
  if (!isLun(lun)) errors.push(fieldErrors.invalid(path.child('lun'), lun, LUN_RANGE));
  const secret = source['secretRef'] as JsonObject | undefined;
  if ((source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true) && secret === undefined)
    errors.push(fieldErrors.required(path.child('secretRef')));
  if (secret !== undefined) errors.push(...required(secret, path.child('secretRef'), 'name'));
  if (initiator !== undefined)
    errors.push(...validateInitiator(String(initiator), path.child('initiatorname')));
  return errors;
};

const fc: ValidateSource = (source, path) => {
  const [targets, ids] = [countOf(source, 'targetWWNs'), countOf(source, 'wwids')];
  const at = path.child('targetWWNs');
  const errors: FieldError[] = [];
  if (targets === 0 && ids === 0)
    errors.push(fieldErrors.required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targets > 0 && ids > 0)
    errors.push(
      fieldErrors.invalid(
        at,
        source['targetWWNs'],
        'targetWWNs and wwids can not be specified simultaneously',
      ),
    );
  if (targets === 0) return errors;
  const lun = source['lun'] as number | undefined;
  if (lun === undefined)
    errors.push(fieldErrors.required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  else if (!isLun(lun)) errors.push(fieldErrors.invalid(path.child('lun'), lun, LUN_RANGE));
  return errors;
};

const SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

const csi: ValidateSource = (source, path) => [
  ...validateDriverName(textOf(source, 'driver'), path.child('driver')),
  ...required(source, path, 'volumeHandle'),
  ...SECRETS.flatMap((name) =>
    source[name] === undefined ? [] : validateSecret(source[name] as JsonObject, path.child(name)),
  ),
];

function validateSecret(secret: JsonObject, path: FieldPath): FieldError[] {
  const [name, namespace] = [textOf(secret, 'name'), textOf(secret, 'namespace')];
  return [
    ...(name === ''
      ? required(secret, path, 'name')
      : invalidFor(path.child('name'), name, validateDns1123Subdomain(name))),
    ...(namespace === ''
      ? required(secret, path, 'namespace')
      : invalidFor(path.child('namespace'), namespace, validateDns1123Label(namespace))),
  ];
}

const glusterfs: ValidateSource = (source, path) => {
  const errors = required(source, path, 'endpoints', 'path');
  const namespace = source['endpointsNamespace'] as string | undefined;
  if (namespace === undefined) return errors;
  const at = path.child('endpointsNamespace');
  const reasons =
    namespace === ''
      ? ['if the endpointnamespace is set, it must be a valid namespace name']
      : nameIsDnsLabel(namespace, false);
  return [...errors, ...invalidFor(at, namespace, reasons)];
};

const azureFile: ValidateSource = (source, path) => [
  ...required(source, path, 'secretName', 'shareName'),
  ...(source['secretNamespace'] === '' ? [fieldErrors.required(path.child('secretNamespace'))] : []),
];

const MANAGED_DISK =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

const azureDisk: ValidateSource = (source, path) => {
  const [kind, uri] = [source['kind'] as string | undefined, textOf(source, 'diskURI')];
  const errors = [
    ...required(source, path, 'diskName', 'diskURI'),
    ...validateOneOf(
      source['cachingMode'] as string | undefined,
      ['None', 'ReadOnly', 'ReadWrite'],
      path.child('cachingMode'),
    ),
    ...validateOneOf(kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ];
  const at = path.child('diskURI');
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/'))
    errors.push(fieldErrors.notSupported(at, uri, [MANAGED_DISK]));
  if (kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://'))
    errors.push(fieldErrors.notSupported(at, uri, [BLOB_DISK]));
  return errors;
};

const flexVolume: ValidateSource = (source, path) => [
  ...required(source, path, 'driver'),
  ...Object.keys((source['options'] ?? {}) as JsonObject).flatMap((key) =>
    /\.(kubernetes|k8s)\.io$/.test(`.${key.split('/', 2)[0]!.toLowerCase()}`)
      ? [
          fieldErrors.invalid(
            path.child('options').key(key),
            key,
            'kubernetes.io and k8s.io namespaces are reserved',
          ),
        ]
      : [],
  ),
];

const cinder: ValidateSource = (source, path) => [
  ...required(source, path, 'volumeID'),
  ...(source['secretRef'] === undefined
    ? []
    : required(source['secretRef'] as JsonObject, path.child('secretRef'), 'name', 'namespace')),
];

const flocker: ValidateSource = (source, path) => {
  const [name, id] = [textOf(source, 'datasetName'), textOf(source, 'datasetUUID')];
  const errors: FieldError[] = [];
  if (name === '' && id === '')
    errors.push(fieldErrors.required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && id !== '')
    errors.push(
      fieldErrors.invalid(
        path,
        'resource',
        'datasetName and datasetUUID can not be specified simultaneously',
      ),
    );
  if (name.includes('/'))
    errors.push(fieldErrors.invalid(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
};

const storageos: ValidateSource = (source, path) => {
  const [volume, namespace] = [textOf(source, 'volumeName'), textOf(source, 'volumeNamespace')];
  return [
    ...(volume === ''
      ? required(source, path, 'volumeName')
      : invalidFor(path.child('volumeName'), volume, validateDns1123Label(volume))),
    ...(namespace === ''
      ? []
      : invalidFor(path.child('volumeNamespace'), namespace, validateDns1123Label(namespace))),
    ...(source['secretRef'] === undefined
      ? []
      : required(source['secretRef'] as JsonObject, path.child('secretRef'), 'name', 'namespace')),
  ];
};

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas';
const MAX_TENANT = 64;

const quobyte: ValidateSource = (source, path) => {
  const registry = textOf(source, 'registry');
  const errors: FieldError[] = [];
  if (registry === '') errors.push(fieldErrors.required(path.child('registry'), PAIRS));
  else if (textOf(source, 'tenant').length > MAX_TENANT)
    errors.push(
      fieldErrors.required(
        path.child('tenant'),
        'must be a UUID and may not exceed a length of 64 characters',
      ),
    );
  else
    for (const pair of registry.split(','))
      if (!/^(\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair))
        errors.push(fieldErrors.invalid(path.child('registry'), registry, PAIRS));
  return [...errors, ...required(source, path, 'volume')];
};

const requiring =
  (...names: string[]): ValidateSource =>
  (source, path) =>
    required(source, path, ...names);

const requiringList =
  (list: string, ...names: string[]): ValidateSource =>
  (source, path) => [
    ...(countOf(source, list) === 0 ? [fieldErrors.required(path.child(list))] : []),
    ...required(source, path, ...names),
  ];

const withPartition =
  (name: string): ValidateSource =>
  (source, path) => [...required(source, path, name), ...partition(source, path)];

interface Source {
  readonly field: string;
  /** Where its own errors are, and that of a second source, if upstream has another name there. */
  readonly at?: string;
  readonly second?: string;
  readonly validate: ValidateSource;
}

/** In upstream's order: of several sources, the first one is validated. */
export const VOLUME_SOURCES: readonly Source[] = [
  { field: 'hostPath', validate: hostPath },
  { field: 'gcePersistentDisk', at: 'persistentDisk', validate: withPartition('pdName') },
  { field: 'awsElasticBlockStore', validate: withPartition('volumeID') },
  { field: 'glusterfs', validate: glusterfs },
  { field: 'flocker', validate: flocker },
  { field: 'nfs', validate: nfs },
  { field: 'rbd', validate: requiringList('monitors', 'image') },
  { field: 'quobyte', validate: quobyte },
  { field: 'cephfs', second: 'cephFS', validate: requiringList('monitors') },
  { field: 'iscsi', validate: iscsi },
  { field: 'cinder', validate: cinder },
  { field: 'fc', validate: fc },
  { field: 'flexVolume', validate: flexVolume },
  { field: 'azureFile', validate: azureFile },
  { field: 'vsphereVolume', validate: requiring('volumePath') },
  { field: 'photonPersistentDisk', validate: requiring('pdID') },
  { field: 'portworxVolume', validate: requiring('volumeID') },
  { field: 'azureDisk', validate: azureDisk },
  { field: 'scaleIO', validate: requiring('gateway', 'system', 'volumeName') },
  { field: 'local', validate: local },
  { field: 'storageos', validate: storageos },
  { field: 'csi', validate: csi },
];
