// Validation of CSIDriver, CSINode and CSIStorageCapacity.
import { nameIsDnsSubdomain } from '@instar/go';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type KubeObject,
  type LabelSelectorObject,
  validateLabelSelectorObject,
} from '@instar/machinery';
import {
  invalidFor,
  validateDriverName,
  validateOneOf,
  validateQualified,
  validateUnchanged,
} from './checks.ts';
import { validateNonnegativeAmount } from './quantities.ts';

export interface CsiDriver extends KubeObject {
  spec: {
    attachRequired?: boolean;
    fsGroupPolicy?: string;
    tokenRequests?: { audience: string; expirationSeconds?: number | bigint }[];
    volumeLifecycleModes?: string[];
    nodeAllocatableUpdatePeriodSeconds?: number | bigint;
    serviceAccountTokenInSecrets?: boolean;
    preventPodSchedulingIfMissing?: boolean;
  };
}

interface CsiNodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: string[];
  allocatable?: { count?: number };
}

export interface CsiNode extends KubeObject {
  spec: { drivers: CsiNodeDriver[] | null };
}

export interface CsiStorageCapacity extends KubeObject {
  nodeTopology?: LabelSelectorObject;
  storageClassName: string;
  capacity?: string;
}

const SPEC = FieldPath.of('spec');
const MIN_UPDATE_SECONDS = 10;
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const MAX_NODE_ID_BYTES = 256;
const MODES = ['Persistent', 'Ephemeral'];

export function validateCsiDriver({ spec }: CsiDriver): FieldError[] {
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  const errors = [
    ...validateOneOf(
      spec.fsGroupPolicy,
      ['File', 'None', 'ReadWriteOnceWithFSType'],
      SPEC.child('fsGroupPolicy'),
    ),
    ...validateTokenRequests(spec.tokenRequests ?? []),
    ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
      validateOneOf(mode, MODES, SPEC.child('volumeLifecycleModes')),
    ),
  ];
  if (period !== undefined && period < MIN_UPDATE_SECONDS)
    errors.push(
      fieldErrors.invalid(
        SPEC.child('nodeAllocatableUpdatePeriodSeconds'),
        period,
        'must be greater than or equal to 10 seconds',
      ),
    );
  if (inSecrets !== undefined && (spec.tokenRequests ?? []).length === 0)
    errors.push(
      fieldErrors.invalid(
        SPEC.child('serviceAccountTokenInSecrets'),
        inSecrets,
        'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ),
    );
  return errors;
}

function validateTokenRequests(requests: NonNullable<CsiDriver['spec']['tokenRequests']>): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience, expirationSeconds: seconds }, index) => {
    const path = SPEC.child('tokenRequests').index(index);
    if (audiences.has(audience)) return [fieldErrors.duplicate(path.child('audience'), audience)];
    audiences.add(audience);
    if (seconds === undefined) return [];
    const refuse = (reason: string) => [
      fieldErrors.invalid(path.child('expirationSeconds'), seconds, reason),
    ];
    if (seconds < MIN_TOKEN_SECONDS) return refuse('may not specify a duration less than 10 minutes');
    return seconds > MAX_TOKEN_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
  });
}

/** Upstream names the first field attachedRequired. */
export const validateCsiDriverUpdate = (driver: CsiDriver, old: CsiDriver): FieldError[] => [
  ...validateCsiDriver(driver),
  ...validateUnchanged(driver.spec.attachRequired, old.spec.attachRequired, SPEC.child('attachedRequired')),
  ...validateUnchanged(
    driver.spec.volumeLifecycleModes,
    old.spec.volumeLifecycleModes,
    SPEC.child('volumeLifecycleModes'),
  ),
];

export function validateCsiNode({ spec }: CsiNode): FieldError[] {
  const names = new Set<string>();
  return (spec.drivers ?? []).flatMap((driver, index) => {
    const path = SPEC.child('drivers').index(index);
    const errors = validateNodeDriver(driver, path);
    if (names.has(driver.name)) errors.push(fieldErrors.duplicate(path.child('name'), driver.name));
    names.add(driver.name);
    return [...errors, ...validateTopologyKeys(driver.topologyKeys ?? [], path)];
  });
}

function validateNodeDriver({ name, nodeID, allocatable }: CsiNodeDriver, path: FieldPath): FieldError[] {
  const errors = validateDriverName(name, path.child('name'));
  const at = path.child('nodeID');
  if (nodeID === '') errors.push(fieldErrors.required(at));
  if (Buffer.byteLength(nodeID) > MAX_NODE_ID_BYTES)
    errors.push(fieldErrors.invalid(at, nodeID, `must be ${MAX_NODE_ID_BYTES} characters or less`));
  const count = allocatable?.count ?? 0;
  if (count < 0)
    errors.push(
      fieldErrors.invalid(path.child('allocatable', 'count'), count, 'must be greater than or equal to 0'),
    );
  return errors;
}

function validateTopologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === '' ? [fieldErrors.required(path)] : []),
    ...(keys.indexOf(key) < index ? [fieldErrors.duplicate(path, key)] : []),
    ...validateQualified(key, path),
  ]);
}

export function validateCsiNodeUpdate(node: CsiNode, old: CsiNode): FieldError[] {
  const withoutCount = ({ allocatable: _, ...driver }: CsiNodeDriver) => driver;
  return [
    ...validateCsiNode(node),
    ...(old.spec.drivers ?? []).flatMap((before) =>
      (node.spec.drivers ?? [])
        .filter(({ name }) => name === before.name)
        .flatMap((now) => validateUnchanged(withoutCount(now), withoutCount(before), SPEC.child('drivers'))),
    ),
  ];
}

export function validateCsiStorageCapacity(it: CsiStorageCapacity): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = it;
  return [
    ...(nodeTopology === undefined
      ? []
      : validateLabelSelectorObject(nodeTopology, FieldPath.of('nodeTopology'))),
    ...invalidFor(
      FieldPath.of('storageClassName'),
      storageClassName,
      nameIsDnsSubdomain(storageClassName, false),
    ),
    ...(capacity === undefined ? [] : validateNonnegativeAmount(capacity, FieldPath.of('capacity'))),
  ];
}

export const validateCsiStorageCapacityUpdate = (
  it: CsiStorageCapacity,
  old: CsiStorageCapacity,
): FieldError[] => [
  ...validateCsiStorageCapacity(it),
  ...validateUnchanged(it.nodeTopology, old.nodeTopology, FieldPath.of('nodeTopology')),
  ...validateUnchanged(it.storageClassName, old.storageClassName, FieldPath.of('storageClassName')),
];
