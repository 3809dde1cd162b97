// What may change in a pod: through the pod itself, its ephemeral containers and its resize.
import { deepEqual, type FieldError, FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import { MIRROR, validateAnnotationUpdates } from './annotations.ts';
import { diffOf } from './internal-diff.ts';
import { validatePodContent } from './pod-content.ts';
import { qosClass } from './pod-qos.ts';
import type {
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  ResourceList,
  ResourceRequirements,
  Toleration,
} from './pod-types.ts';
import { isSidecar } from './resource-lists.ts';
import { validateTolerations } from './scheduling.ts';
import { MAX_INT32 } from './values.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');

const same = (a: unknown, b: unknown): boolean => deepEqual(a as JsonValue, b as JsonValue);

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const errors = validateContentUpdate(pod, old);
  for (const list of ['containers', 'initContainers'] as const) {
    const found = validateContainerUpdates(pod.spec[list] ?? [], old.spec[list] ?? [], SPEC.child(list));
    errors.push(...found.errors);
    if (found.stop) return errors;
  }
  const deadline = validateDeadline(pod.spec, old.spec);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(
    ...validateAddedTolerations(pod.spec.tolerations ?? [], old.spec.tolerations ?? []),
    ...validateRemovedGates(pod.spec, old.spec),
  );
  if (same(pod.spec, old.spec)) return errors;
  const { munged, errors: gated } = mungedSpec(pod.spec, old.spec);
  errors.push(...gated);
  if (!same(munged, old.spec)) {
    const diff = diffOf('PodSpec', old.spec, munged);
    errors.push(
      fieldErrors.forbidden(SPEC, `pod updates may not change fields other than ${UPDATABLE}\n${diff}`),
    );
  }
  return errors;
}

const validateContentUpdate = (pod: Pod, old: Pod): FieldError[] => [
  ...validatePodContent(pod),
  ...validateAnnotationUpdates(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}, ANNOTATIONS),
];

interface Stoppable {
  readonly errors: FieldError[];
  readonly stop: boolean;
}

function validateContainerUpdates(next: Container[], old: Container[], path: FieldPath): Stoppable {
  if (next.length !== old.length)
    return {
      errors: [fieldErrors.forbidden(path, 'pod updates may not add or remove containers')],
      stop: true,
    };
  const errors = next.flatMap(({ image = '' }, index) => {
    const at = path.index(index).child('image');
    if (image === '') return [fieldErrors.required(at)];
    return image.trim() === image
      ? []
      : [fieldErrors.invalid(at, image, 'must not have leading or trailing whitespace')];
  });
  return { errors, stop: false };
}

function validateDeadline(
  { activeDeadlineSeconds: next }: PodSpec,
  { activeDeadlineSeconds: old }: PodSpec,
): Stoppable {
  const at = SPEC.child('activeDeadlineSeconds');
  const refuse = (why: string, stop: boolean) => ({
    errors: [fieldErrors.invalid(at, next ?? null, why)],
    stop,
  });
  if (next === undefined)
    return old === undefined
      ? { errors: [], stop: false }
      : refuse('must not update from a positive integer to nil value', false);
  if (next < 0 || next > MAX_INT32) return refuse(`must be between 0 and ${MAX_INT32}, inclusive`, true);
  return old !== undefined && old < next
    ? refuse('must be less than or equal to previous value', true)
    : { errors: [], stop: false };
}

function validateAddedTolerations(next: Toleration[], old: Toleration[]): FieldError[] {
  const at = SPEC.child('tolerations');
  const withoutSeconds = ({ tolerationSeconds: _, ...rest }: Toleration) => rest;
  const isKept = (toleration: Toleration): boolean =>
    next.some((other) => same(withoutSeconds(other), withoutSeconds(toleration)));
  if (!old.every(isKept)) {
    const why = 'existing toleration can not be modified except its tolerationSeconds';
    return [fieldErrors.forbidden(at, why)];
  }
  return validateTolerations(next, at);
}

function validateRemovedGates(
  { schedulingGates: next = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
) {
  const known = new Set(old.map(({ name }) => name));
  return next.flatMap(({ name }, index) => {
    if (known.has(name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [fieldErrors.forbidden(SPEC.child('schedulingGates').index(index).child('name'), why)];
  });
}

/** The new spec with the old values of everything that may change. */
function mungedSpec(next: PodSpec, old: PodSpec): { munged: PodSpec; errors: FieldError[] } {
  const munged: PodSpec = { ...next };
  const withImages = (list: Container[] | null | undefined, before: Container[] | undefined) =>
    list?.map((container, index) => withField(container, 'image', before![index]!.image));
  munged.containers = withImages(next.containers, old.containers)!;
  setField(munged, 'initContainers', withImages(next.initContainers, old.initContainers));
  setField(munged, 'activeDeadlineSeconds', old.activeDeadlineSeconds);
  setField(munged, 'schedulingGates', old.schedulingGates);
  setField(munged, 'tolerations', old.tolerations);
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1)
    setField(munged, 'terminationGracePeriodSeconds', old.terminationGracePeriodSeconds);
  return { munged, errors: (old.schedulingGates ?? []).length > 0 ? mungeGated(munged, old) : [] };
}

function setField<K extends keyof PodSpec>(spec: PodSpec, field: K, value: PodSpec[K] | undefined): void {
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}

const withField = (container: Container, field: 'image', value: string | undefined): Container => {
  const { [field]: _, ...rest } = container;
  return value === undefined ? rest : { ...rest, [field]: value };
};

/** As long as a pod waits at a gate, selectors of nodes may be narrowed. */
function mungeGated(munged: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!same(munged.nodeSelector, old.nodeSelector)) {
    errors.push(...validateNarrowedSelector(munged.nodeSelector ?? {}, old.nodeSelector ?? {}));
    setField(munged, 'nodeSelector', old.nodeSelector);
  }
  const next = munged.affinity?.nodeAffinity;
  const before = old.affinity?.nodeAffinity;
  if (same(next, before)) return errors;
  errors.push(...validateNarrowedAffinity(next, before));
  const { nodeAffinity: _, ...rest } = munged.affinity ?? {};
  const affinity = before === undefined ? rest : { ...rest, nodeAffinity: before };
  setField(
    munged,
    'affinity',
    Object.keys(affinity).length === 0 && old.affinity === undefined ? undefined : affinity,
  );
  return errors;
}

function validateNarrowedSelector(next: Record<string, string>, old: Record<string, string>): FieldError[] {
  if (Object.entries(old).every(([key, value]) => Object.hasOwn(next, key) && next[key] === value)) return [];
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [fieldErrors.invalid(SPEC.child('nodeSelector'), next, why)];
}

function validateNarrowedAffinity(
  next: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
): FieldError[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const before = old?.[required]?.nodeSelectorTerms ?? [];
  const after = next?.[required]?.nodeSelectorTerms ?? [];
  const at = SPEC.child('affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  if (before.length > 0 && before.length !== after.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [fieldErrors.invalid(at, after as unknown as JsonValue, why)];
  }
  return before.flatMap((term, index) =>
    isNarrowed(after[index]!, term)
      ? []
      : [
          fieldErrors.invalid(
            at.index(index),
            after[index] as unknown as JsonValue,
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

function isNarrowed(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const { matchExpressions: expressions = [], matchFields: fields = [] } = old;
  const { matchExpressions: newExpressions = [], matchFields: newFields = [] } = next;
  if (expressions.length === 0 && fields.length === 0)
    return newExpressions.length === 0 && newFields.length === 0;
  return (
    same(newExpressions.slice(0, expressions.length), expressions) &&
    same(newFields.slice(0, fields.length), fields)
  );
}

export function validateEphemeralUpdate(pod: Pod, old: Pod): FieldError[] {
  if (Object.hasOwn(old.metadata.annotations ?? {}, MIRROR))
    return [fieldErrors.forbidden('', 'static pods do not support ephemeral containers')];
  const at = SPEC.child('ephemeralContainers');
  const next = new Map((pod.spec.ephemeralContainers ?? []).map((container) => [container.name, container]));
  const changed = (old.spec.ephemeralContainers ?? []).flatMap((before) => {
    const after = next.get(before.name);
    const what = `existing ephemeral containers ${JSON.stringify(before.name)} may not be`;
    if (after === undefined) return [fieldErrors.forbidden(at, `${what} removed\n`)];
    return same(after, before)
      ? []
      : [fieldErrors.forbidden(at, `${what} changed\n${diffOf('EphemeralContainer', before, after)}`)];
  });
  return [...validateContentUpdate(pod, old), ...changed];
}

export function validateResize(pod: Pod, old: Pod): FieldError[] {
  if (Object.hasOwn(old.metadata.annotations ?? {}, MIRROR))
    return [fieldErrors.forbidden('', 'static pods cannot be resized')];
  if (old.spec.os?.name === 'windows') return [fieldErrors.forbidden('', 'windows pods cannot be resized')];
  const errors = validatePodContent(pod);
  if ((old.status.qosClass ?? qosClass(old.spec)) !== qosClass(pod.spec)) {
    const why = 'Pod QOS Class may not change as a result of resizing';
    errors.push(fieldErrors.invalid(SPEC, pod.status.qosClass ?? '', why));
  }
  const running = (old.status.containerStatuses ?? []).find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined)
    errors.push(fieldErrors.forbidden(SPEC, 'Pod running on node without support for resize'));
  errors.push(...validatePodLevelResize(pod.spec.resources, old.spec.resources));
  const order = validateOrder(pod.spec, old.spec);
  if (order.length > 0) return [...errors, ...order];
  errors.push(...validateNothingRemoved(pod.spec, old.spec, 'initContainers'));
  errors.push(...validateNothingRemoved(pod.spec, old.spec, 'containers'));
  const immutable = 'only cpu and memory resources are mutable';
  for (const [index, container] of pod.spec.containers.entries())
    if (!same(withOldAmounts(container, old.spec.containers[index]!), old.spec.containers[index]))
      errors.push(fieldErrors.forbidden(SPEC, immutable));
  errors.push(...validateInitResize(pod.spec.initContainers ?? [], old.spec.initContainers ?? []));
  if (errors.length > 0) return errors;
  const restored = { ...pod.spec, containers: old.spec.containers };
  setField(restored, 'initContainers', old.spec.initContainers);
  setField(restored, 'resources', old.spec.resources);
  return same(restored, old.spec) ? [] : [fieldErrors.forbidden(SPEC, immutable)];
}

function validateInitResize(next: Container[], old: Container[]): FieldError[] {
  return next.flatMap((container, index) => {
    const before = old[index]!;
    const at = SPEC.child('initContainers').index(index);
    const errors = same(withOldAmounts(container, before), before)
      ? []
      : [
          fieldErrors.forbidden(
            at,
            'only cpu and memory resources for init or sidecar containers are mutable',
          ),
        ];
    if (same(container, before) || isSidecar(container)) return errors;
    for (const { restartPolicy } of container.resizePolicy ?? []) {
      if (restartPolicy !== 'RestartContainer') continue;
      const why = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
      errors.push(fieldErrors.forbidden(at, why));
    }
    return errors;
  });
}

function validatePodLevelResize(
  next: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): FieldError[] {
  const at = SPEC.child('resources');
  if (old === undefined) return [];
  if (next === undefined) return [fieldErrors.forbidden(at, 'pod-level resources cannot be removed')];
  const errors = (['requests', 'limits'] as const).flatMap((part) =>
    isRemoved(next[part], old[part])
      ? [fieldErrors.forbidden(at.child(part), `pod-level resource ${part} cannot be removed`)]
      : [],
  );
  if (!same(amountsOf(next, old), old))
    errors.push(fieldErrors.forbidden(SPEC, 'only cpu and memory resources are mutable at pod-level'));
  return errors;
}

function validateOrder(next: PodSpec, old: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const [after, before] = [next[list] ?? [], old[list] ?? []];
    const at = SPEC.child(list);
    if (after.length !== before.length)
      return [fieldErrors.forbidden(at, `${list} may not be added or removed on resize`)];
    return before.flatMap(({ name }, index) =>
      after[index]!.name === name
        ? []
        : [
            fieldErrors.forbidden(
              at.index(index).child('name'),
              `${list} may not be renamed or reordered on resize`,
            ),
          ],
    );
  });
}

const isRemoved = (next: ResourceList = {}, old: ResourceList = {}): boolean =>
  Object.keys(old).some((name) => !Object.hasOwn(next, name));

function validateNothingRemoved(next: PodSpec, old: PodSpec, list: 'containers' | 'initContainers') {
  return (old[list] ?? []).flatMap(({ resources: before }, index) => {
    const { resources: after } = next[list]![index]!;
    const at = SPEC.child(list).index(index).child('resources');
    return (['requests', 'limits'] as const).flatMap((part) =>
      isRemoved(after[part], before[part])
        ? [fieldErrors.forbidden(at.child(part), `resource ${part} cannot be removed`)]
        : [],
    );
  });
}

/** The container with the amounts of processors and memory that it had before. */
const withOldAmounts = (container: Container, old: Container): Container => ({
  ...container,
  resources: amountsOf(container.resources, old.resources),
});

function amountsOf(next: ResourceRequirements, old: ResourceRequirements): ResourceRequirements {
  const kept = (
    list: ResourceList | undefined,
    before: ResourceList | undefined,
  ): ResourceList | undefined => {
    if (list === undefined && before === undefined) return undefined;
    const { cpu: _cpu, memory: _memory, ...rest } = list ?? {};
    const { cpu, memory } = before ?? {};
    const amounts = { ...rest, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
    return Object.keys(amounts).length === 0 && before === undefined ? undefined : amounts;
  };
  const limits = kept(next.limits, old.limits);
  const requests = kept(next.requests, old.requests);
  return { ...(limits !== undefined && { limits }), ...(requests !== undefined && { requests }) };
}
