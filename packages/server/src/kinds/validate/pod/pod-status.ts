// What may change in the status of a pod.
import { ipFamilyOf, nameIsDnsSubdomain } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import { validateAnnotationUpdates } from './annotations.ts';
import { validateIpText } from './ip-text.ts';
import type { Container, ContainerStatus, Pod, PodStatus } from './pod-types.ts';
import { invalidEach, validateObjectName, validateQualified } from './values.ts';

const STATUS = FieldPath.of('status');
const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function validateStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const { status } = pod;
  const annotations = FieldPath.of('metadata', 'annotations');
  return [
    ...validateAnnotationUpdates(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}, annotations),
    ...validateConditions(status),
    ...validateNominatedNode(pod, old),
    ...validateNotNegative(status.observedGeneration, STATUS.child('observedGeneration')),
    ...(status.qosClass === old.status.qosClass
      ? []
      : [fieldErrors.invalid(STATUS.child('qosClass'), status.qosClass ?? '', 'field is immutable')]),
    ...validateTransitions(pod, old, 'containerStatuses', old.spec.containers),
    ...validateTransitions(pod, old, 'initContainerStatuses', old.spec.initContainers ?? []),
    ...validateTransitions(pod, old, 'ephemeralContainerStatuses', undefined),
    ...validateClaimStatuses(pod),
    ...validateAddresses(status.podIPs ?? [], old.status.podIPs ?? [], STATUS.child('podIPs')),
    ...validateHostAddresses(status, old.status),
  ];
}

const validateNotNegative = (value: number | undefined, path: FieldPath): FieldError[] =>
  (value ?? 0) < 0 ? [fieldErrors.invalid(path, value!, 'must be a non-negative integer')] : [];

function validateConditions({ conditions = [] }: PodStatus): FieldError[] {
  return conditions.flatMap(({ type = '', observedGeneration }, index) => {
    const at = STATUS.child('conditions').index(index);
    return [
      ...validateNotNegative(observedGeneration, at.child('observedGeneration')),
      ...(SYSTEM_CONDITIONS.has(type) ? [] : validateQualified(type, at.child('Type'))),
    ];
  });
}

function validateNominatedNode(pod: Pod, old: Pod): FieldError[] {
  const name = pod.status.nominatedNodeName ?? '';
  if (name === '' || name === old.status.nominatedNodeName) return [];
  const at = STATUS.child('nominatedNodeName');
  const errors = invalidEach(at, name, nameIsDnsSubdomain(name, false));
  if (old.spec.nodeName)
    errors.push(fieldErrors.forbidden(at, 'may not be set on pods that are already bound to a node'));
  return errors;
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** A container that has ended stays so, unless its policy restarts it. */
function validateTransitions(
  pod: Pod,
  old: Pod,
  list: StatusList,
  containers: Container[] | undefined,
): FieldError[] {
  const mayAllRestart =
    containers !== undefined &&
    [...old.spec.containers, ...(old.spec.initContainers ?? [])].some(({ restartPolicyRules = [] }) =>
      restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
    );
  if (mayAllRestart) return [];
  const next = pod.status[list] ?? [];
  return (old.status[list] ?? []).flatMap((before, index) => {
    const ended = before.state?.terminated;
    const after = next.find(({ name }) => name === before.name);
    if (ended === undefined || after === undefined || after.state?.terminated !== undefined) return [];
    if (mayRestart(before, containers, old.spec.restartPolicy, ended.exitCode)) return [];
    const at = STATUS.child(list).index(index).child('state');
    return [fieldErrors.forbidden(at, 'may not be transitioned to non-terminated state')];
  });
}

function mayRestart(
  { name }: ContainerStatus,
  containers: Container[] | undefined,
  ofPod: string | undefined,
  exitCode: number,
): boolean {
  const container = containers?.find((other) => other.name === name);
  if (container === undefined) return false;
  for (const { exitCodes } of container.restartPolicyRules ?? []) {
    if (exitCodes === undefined) continue;
    const isListed = (exitCodes.values ?? []).includes(exitCode);
    if (isListed === (exitCodes.operator === 'In')) return true;
  }
  switch (container.restartPolicy ?? ofPod) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    default:
      return false;
  }
}

function validateClaimStatuses({ spec, status }: Pod): FieldError[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  return (status.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, index) => {
    const at = STATUS.child('resourceClaimStatuses').index(index);
    const errors: FieldError[] = [];
    if (!known.has(name)) {
      const why = 'must match the name of an entry in `spec.resourceClaims`';
      errors.push(fieldErrors.invalid(at.child('name'), name, why));
    }
    if (seen.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
    seen.add(name);
    if (resourceClaimName !== undefined)
      errors.push(...validateObjectName(resourceClaimName, at.child('resourceClaimName')));
    return errors;
  });
}

type Address = NonNullable<PodStatus['podIPs']>[number];

/** Addresses that were there before stay valid. */
function validateAddresses(next: readonly Address[], old: readonly Address[], path: FieldPath): FieldError[] {
  const known = new Set(old.map(({ ip }) => ip));
  const errors = next.flatMap(({ ip = '' }, index) =>
    known.has(ip) ? [] : validateIpText(ip, path.index(index)),
  );
  if (next.length < 2) return errors;
  const families = new Set(next.map(({ ip = '' }) => ipFamilyOf(ip)));
  if (next.length === 2 && families.size === 2) return errors;
  const value = next.map(({ ip = '' }) => ({ IP: ip })) as unknown as JsonValue;
  return [...errors, fieldErrors.invalid(path, value, 'may specify no more than one IP for each IP family')];
}

function validateHostAddresses(status: PodStatus, old: PodStatus): FieldError[] {
  const { hostIP = '', hostIPs = [] } = status;
  if (hostIPs.length === 0) return [];
  const at = STATUS.child('hostIPs');
  const first = hostIPs[0]!.ip ?? '';
  const differs =
    hostIP === first
      ? []
      : [fieldErrors.invalid(at.index(0).child('ip'), first, 'must be equal to `hostIP`')];
  return [...differs, ...validateAddresses(hostIPs, old.hostIPs ?? [], at)];
}
