// What a write does with a pod, by the part of it that the request may change.
import { asJson, deepEqual, type FieldError, type JsonValue, type KubeObject } from '@instar/machinery';
import type { Strategy, WriteContext } from '../../../objects/definition.ts';
import { timestamp } from '../../../objects/write/system-fields.ts';
import { validatePodCreate } from '../../validate/pod/pod-content.ts';
import { qosClass } from '../../validate/pod/pod-qos.ts';
import { validateStatusUpdate } from '../../validate/pod/pod-status.ts';
import type { Container, Pod, PodAffinityTerm, PodSpec } from '../../validate/pod/pod-types.ts';
import { validateEphemeralUpdate, validatePodUpdate, validateResize } from '../../validate/pod/pod-update.ts';
import { takeAppArmorAnnotations } from './app-armor.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { setCondition } from './pod-conditions.ts';
import { podWarnings } from './pod-warnings.ts';

function prepareForCreate(pod: Pod, { warn }: WriteContext): void {
  pod.metadata.generation = 1;
  pod.status = { phase: 'Pending', qosClass: qosClass(pod.spec) };
  dropDisabledFields(pod.spec);
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    };
    setCondition(pod.status, condition, timestamp(Date.now()));
  }
  selectByLabelKeys(pod);
  for (const key of takeAppArmorAnnotations(pod))
    warn?.(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
}

/** Keys of labels become conditions on the values that the pod itself has. */
function selectByLabelKeys({ spec, metadata }: Pod): void {
  const labels = metadata.labels ?? {};
  const add = (term: Pick<PodAffinityTerm, 'labelSelector'>, keys: string[] = [], operator: string): void => {
    if (term.labelSelector === undefined) return;
    for (const key of keys) {
      if (!Object.hasOwn(labels, key)) continue;
      term.labelSelector.matchExpressions ??= [];
      term.labelSelector.matchExpressions.push({ key, operator, values: [labels[key]!] });
    }
  };
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const term of [...preferred.map(({ podAffinityTerm }) => podAffinityTerm), ...required]) {
      add(term, term.matchLabelKeys, 'In');
      add(term, term.mismatchLabelKeys, 'NotIn');
    }
  }
  for (const constraint of spec.topologySpreadConstraints ?? [])
    add(constraint, constraint.matchLabelKeys, 'In');
}

function prepareForUpdate(pod: Pod, old: Pod, { subresource }: WriteContext): void {
  if (subresource === 'status') {
    prepareStatus(pod, old);
    return;
  }
  if (subresource === 'ephemeralcontainers') keepAllButEphemeral(pod, old);
  else if (subresource === 'resize') keepAllButResources(pod, old);
  pod.status = structuredClone(old.status);
  dropDisabledFields(pod.spec, old.spec);
  if (!same(pod.spec, old.spec)) pod.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const same = (a: unknown, b: unknown): boolean => deepEqual(a as JsonValue, b as JsonValue);

function prepareStatus(pod: Pod, old: Pod): void {
  pod.spec = structuredClone(old.spec);
  if (old.metadata.ownerReferences === undefined) delete pod.metadata.ownerReferences;
  else pod.metadata.ownerReferences = structuredClone(old.metadata.ownerReferences);
  pod.status ??= {};
  if (!pod.status.qosClass && old.status.qosClass !== undefined) pod.status.qosClass = old.status.qosClass;
  if (!pod.status.observedGeneration && old.status.observedGeneration !== undefined)
    pod.status.observedGeneration = old.status.observedGeneration;
  const generations = new Map<string, number[]>();
  for (const { type, observedGeneration = 0 } of old.status.conditions ?? [])
    generations.set(type, [...(generations.get(type) ?? []), observedGeneration]);
  for (const condition of pod.status.conditions ?? []) {
    const before = generations.get(condition.type)?.shift() ?? 0;
    if (!condition.observedGeneration && before !== 0) condition.observedGeneration = before;
  }
}

/** As status writes of most kinds, these change no metadata that clients write. */
function keepMetadata(pod: Pod, old: Pod): void {
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    if (old.metadata[field] === undefined) delete pod.metadata[field];
    else Object.assign(pod.metadata, { [field]: structuredClone(old.metadata[field]) });
  }
}

function keepAllButEphemeral(pod: Pod, old: Pod): void {
  const { ephemeralContainers } = pod.spec;
  keepMetadata(pod, old);
  pod.spec = structuredClone(old.spec);
  if (ephemeralContainers === undefined) delete pod.spec.ephemeralContainers;
  else pod.spec.ephemeralContainers = ephemeralContainers;
}

function keepAllButResources(pod: Pod, old: Pod): void {
  const { containers, initContainers = [], resources } = pod.spec;
  const before = old.spec;
  if (
    containers.length !== before.containers.length ||
    initContainers.length !== (before.initContainers ?? []).length
  )
    return;
  const merged: PodSpec = structuredClone(before);
  merged.containers = resized(containers, merged.containers);
  if (merged.initContainers !== undefined)
    merged.initContainers = resized(initContainers, merged.initContainers);
  if (resources === undefined) delete merged.resources;
  else merged.resources = resources;
  keepMetadata(pod, old);
  pod.spec = merged;
}

function resized(next: Container[], old: Container[]): Container[] {
  if (next.some(({ name }, index) => old[index]!.name !== name)) return next;
  return old.map(({ resizePolicy: _, ...rest }, index) => {
    const { resources, resizePolicy } = next[index]!;
    return { ...rest, resources, ...(resizePolicy !== undefined && { resizePolicy }) };
  });
}

function validateUpdate(pod: Pod, old: Pod, { subresource }: WriteContext): FieldError[] {
  switch (subresource) {
    case 'status':
      return validateStatusUpdate(pod, old);
    case 'ephemeralcontainers':
      return validateEphemeralUpdate(pod, old);
    case 'resize':
      return validateResize(pod, old);
    default:
      return validatePodUpdate(pod, old);
  }
}

/** How long a deletion waits: not at all for pods that run nowhere. */
function gracePeriod({ spec, status }: Pod, asked: number | undefined): number {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

const asPod = (object: KubeObject): Pod => asJson(object) as unknown as Pod;

export const podStrategy: Strategy = {
  prepareForCreate: (pod, context) => prepareForCreate(asPod(pod), context),
  prepareForUpdate: (pod, old, context) => prepareForUpdate(asPod(pod), asPod(old), context),
  validateCreate: (pod) => validatePodCreate(asPod(pod)),
  validateUpdate: (pod, old, context) => validateUpdate(asPod(pod), asPod(old), context),
  warnings: (pod, old) => (old === undefined ? podWarnings(asPod(pod)) : []),
  gracePeriod: (pod, asked) => gracePeriod(asPod(pod), asked),
  statusMayWriteMetadata: true,
  returnDeletedObject: true,
};
