// Validation of claims, and of the claim templates of other kinds.
import {
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  validateDns1123Subdomain,
  validateQualifiedName,
} from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type LabelSelectorObject,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { invalidFor, validateOneOf, validateUnchanged } from './checks.ts';
import { VOLUME_MODES, validateAccessModes } from './persistent-volume.ts';
import {
  type Amounts,
  compareAmounts,
  isNativeResource,
  validateBasicAmount,
  validatePositiveAmount,
  validateResourceAmount,
} from './quantities.ts';

interface DataSource {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}

export interface ClaimSpec {
  accessModes?: string[];
  selector?: LabelSelectorObject;
  resources: { requests?: Amounts; limits?: Amounts };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: DataSource;
  dataSourceRef?: DataSource;
  volumeAttributesClassName?: string;
}

export interface PersistentVolumeClaim extends KubeObject {
  spec: ClaimSpec;
  status: {
    phase?: string;
    capacity?: Amounts;
    allocatedResources?: Amounts;
    allocatedResourceStatuses?: Record<string, string>;
    currentVolumeAttributesClassName?: string;
  };
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export function validateClaimSpec(spec: ClaimSpec, path: FieldPath): FieldError[] {
  const modes = spec.accessModes ?? [];
  const {
    storageClassName: storage = '',
    dataSource,
    dataSourceRef,
    volumeAttributesClassName: attributes = '',
  } = spec;
  return [
    ...(modes.length === 0
      ? [fieldErrors.required(path.child('accessModes'), 'at least 1 access mode is required')]
      : []),
    ...(spec.selector === undefined
      ? []
      : validateLabelSelectorObject(spec.selector, path.child('selector'))),
    ...validateAccessModes(modes, path.child('accessModes')),
    ...validateRequest(spec.resources.requests ?? {}, path.child('resources').key('storage')),
    ...(storage === ''
      ? []
      : invalidFor(path.child('storageClassName'), storage, nameIsDnsSubdomain(storage, false))),
    ...validateOneOf(spec.volumeMode, VOLUME_MODES, path.child('volumeMode')),
    ...(dataSource === undefined ? [] : validateDataSource(dataSource, path.child('dataSource'))),
    ...(dataSourceRef === undefined ? [] : validateDataSource(dataSourceRef, path.child('dataSourceRef'))),
    ...validateSameSource(spec, path),
    ...(attributes === ''
      ? []
      : invalidFor(
          path.child('volumeAttributesClassName'),
          attributes,
          nameIsDnsSubdomain(attributes, false),
        )),
  ];
}

function validateRequest(requests: Amounts, path: FieldPath): FieldError[] {
  if (!Object.hasOwn(requests, 'storage')) return [fieldErrors.required(path)];
  const amount = requests['storage']!;
  const errors = validatePositiveAmount(amount, path);
  return errors.length > 0 ? errors : validateResourceAmount('storage', amount, path);
}

function validateDataSource({ apiGroup = '', kind, name, namespace = '' }: DataSource, path: FieldPath) {
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldErrors.required(path.child('name')));
  if (kind === '') errors.push(fieldErrors.required(path.child('kind')));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim')
    errors.push(
      fieldErrors.invalid(
        path,
        kind,
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ),
    );
  if (apiGroup !== '')
    errors.push(...invalidFor(path.child('apiGroup'), apiGroup, validateDns1123Subdomain(apiGroup)));
  if (namespace !== '')
    errors.push(...invalidFor(path.child('namespace'), namespace, nameIsDnsLabel(namespace, false)));
  return errors;
}

/** Upstream prints the field as the value of the error: a path has no fields of its own in JSON. */
function validateSameSource({ dataSource, dataSourceRef }: ClaimSpec, path: FieldPath): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return [];
  if ((dataSourceRef.namespace ?? '') !== '')
    return [fieldErrors.invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const identity = ({ apiGroup, kind, name }: DataSource): JsonValue => [apiGroup ?? null, kind, name];
  return deepEqual(identity(dataSource), identity(dataSourceRef))
    ? []
    : [fieldErrors.invalid(path, {}, 'must match dataSourceRef')];
}

const SPEC = FieldPath.of('spec');
const IMMUTABLE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export function validateClaimUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const errors = validateClaimSpec(claim.spec, SPEC);
  const upgraded = upgradesClass(claim, old);
  const [now, before] = [annotationOf(claim), annotationOf(old)];
  if (!upgraded && (now ?? '') !== (before ?? ''))
    errors.push(
      fieldErrors.invalid(
        FieldPath.of('metadata', 'annotations').key(CLASS_ANNOTATION),
        now ?? '',
        'field is immutable',
      ),
    );
  if (!deepEqual(comparable(claim, old), comparable(old, old)))
    errors.push(fieldErrors.forbidden(SPEC, IMMUTABLE));
  const size = claim.spec.resources.requests?.['storage'];
  const shrinks = compareAmounts(size, old.spec.resources.requests?.['storage']) < 0;
  if (shrinks && compareAmounts(size, old.status.capacity?.['storage']) <= 0)
    errors.push(
      fieldErrors.forbidden(
        SPEC.child('resources', 'requests', 'storage'),
        'field can not be less than status.capacity',
      ),
    );
  errors.push(...validateUnchanged(claim.spec.volumeMode, old.spec.volumeMode, FieldPath.of('volumeMode')));
  return [...errors, ...validateAttributesRemoval(claim, old)];
}

/** The class of a claim, by annotation or field; empty if it has none. */
export const classOfClaim = (claim: PersistentVolumeClaim): string =>
  annotationOf(claim) ?? claim.spec.storageClassName ?? '';

const annotationOf = ({ metadata }: KubeObject): string | undefined =>
  Object.hasOwn(metadata.annotations ?? {}, CLASS_ANNOTATION)
    ? metadata.annotations![CLASS_ANNOTATION]
    : undefined;

/** From no class, or from the class of the annotation, to a class in the field. */
function upgradesClass(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = annotationOf(old);
  const now = annotationOf(claim);
  return (
    before !== undefined &&
    old.spec.storageClassName === undefined &&
    claim.spec.storageClassName === before &&
    (now === undefined || now === before)
  );
}

/** The spec without what may change from `old`. */
function comparable(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): JsonValue {
  const spec = structuredClone(claim.spec);
  const before = annotationOf(old);
  if ((old.spec.volumeName ?? '') === '') delete spec.volumeName;
  const { storageClassName: storage } = spec;
  const mayName = old.spec.storageClassName === undefined && (before === undefined || storage === before);
  if (mayName) delete spec.storageClassName;
  if (old.status.phase === 'Bound') {
    delete spec.resources.requests?.['storage'];
    delete spec.volumeAttributesClassName;
  }
  return spec as unknown as JsonObject;
}

function validateAttributesRemoval(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const { volumeAttributesClassName: now } = claim.spec;
  if (now === old.spec.volumeAttributesClassName) return [];
  if (old.status.currentVolumeAttributesClassName === undefined) return [];
  const refuse = (to: string): FieldError[] => [
    fieldErrors.forbidden(
      SPEC.child('volumeAttributesClassName'),
      `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
  return now === undefined ? refuse('nil') : now === '' ? refuse('empty string') : [];
}

const RESIZE_STATUSES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

export function validateClaimStatus({ status }: PersistentVolumeClaim): FieldError[] {
  const path = FieldPath.of('status');
  const errors = Object.entries(status.capacity ?? {}).flatMap(([name, amount]) =>
    validateBasicAmount(amount, path.child('capacity').key(name)),
  );
  for (const [name, resize] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    const at = path.child('allocatedResourceStatuses');
    errors.push(...validateClaimResource(name, at));
    if (!RESIZE_STATUSES.includes(resize)) errors.push(fieldErrors.notSupported(at, name, RESIZE_STATUSES));
  }
  for (const [name, amount] of Object.entries(status.allocatedResources ?? {})) {
    const at = path.child('allocatedResources');
    const faults = validateClaimResource(name, at);
    if (faults.length === 0) faults.push(...validateBasicAmount(amount, at.key(name)));
    errors.push(...(faults.length > 0 ? faults : validateResourceAmount('storage', amount, at.key(name))));
  }
  return errors;
}

function validateClaimResource(name: string, path: FieldPath): FieldError[] {
  const errors = invalidFor(path, name, validateQualifiedName(name));
  if (errors.length > 0) return errors;
  return isNativeResource(name) && name !== 'storage'
    ? [fieldErrors.notSupported(path, name, ['storage'])]
    : [];
}
