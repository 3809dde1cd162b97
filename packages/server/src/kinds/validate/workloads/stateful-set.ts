// Validation of StatefulSets, in upstream's order.
import { validateDns1123Label } from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  validateAnnotations,
  validateLabels,
} from '@instar/machinery';
import {
  intOrPercentOf,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonnegative,
} from '../amounts.ts';
import { withGoFields } from '../go-text.ts';
import { validateClaimSpec } from '../pod/claim-template.ts';
import type { PodTemplateSpec, Volume } from '../pod/pod-types.ts';
import { validatePodTemplateSpec } from '../pod-spec.ts';
import {
  invalidSelector,
  selectorOrUndefined,
  validateRequiredSelector,
  validateRunsForever,
  validateTemplateLabels,
} from './selector.ts';
import { validateCollisions, validateCounts } from './workload-status.ts';
import type { RollingUpdate, StatefulSet, UpdateStrategy } from './workload-types.ts';

type Spec = StatefulSet['spec'];

interface SpecRules {
  /** The name of the service cannot change, so that an update leaves an old one alone. */
  readonly skipServiceName?: boolean;
  readonly skipTemplate?: boolean;
  /** Neither can the claims. */
  readonly skipClaims?: boolean;
}

const SPEC = FieldPath.of('spec');
const SELECTOR = SPEC.child('selector');
const TEMPLATE = SPEC.child('template');

export function validateStatefulSetSpec({ spec }: StatefulSet, rules: SpecRules = {}): FieldError[] {
  const errors = [
    ...validatePodManagement(spec.podManagementPolicy ?? '', SPEC.child('podManagementPolicy')),
    ...validateUpdateStrategy(spec.updateStrategy, SPEC.child('updateStrategy')),
    ...validateRetention(spec, SPEC.child('persistentVolumeClaimRetentionPolicy')),
    ...(rules.skipClaims === true ? [] : validateClaims(spec, SPEC.child('volumeClaimTemplates'))),
    ...validateNonnegative(spec.replicas, SPEC.child('replicas')),
    ...validateNonnegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...validateNonnegative(spec.ordinals?.start, SPEC.child('ordinals.start')),
  ];
  const { serviceName = '' } = spec;
  if (rules.skipServiceName !== true && serviceName !== '') {
    const at = SPEC.child('serviceName');
    errors.push(...validateDns1123Label(serviceName).map((why) => fieldErrors.invalid(at, serviceName, why)));
  }
  return [
    ...errors,
    ...validateRequiredSelector(spec.selector, 'statefulset', SELECTOR),
    ...validateTemplate(spec, rules),
    ...validateRunsForever(spec.template, 'StatefulSet', TEMPLATE),
  ];
}

function validatePodManagement(policy: string, path: FieldPath): FieldError[] {
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return policy === ''
    ? [fieldErrors.required(path)]
    : [fieldErrors.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy({ type = '', rollingUpdate }: UpdateStrategy, path: FieldPath): FieldError[] {
  const at = path.child('rollingUpdate');
  const goFields = [
    ['Partition', rollingUpdate?.partition ?? 0],
    ['MaxUnavailable', rollingUpdate?.maxUnavailable],
  ] as const;
  switch (type) {
    case '':
      return [fieldErrors.required(path)];
    case 'OnDelete': {
      if (rollingUpdate === undefined) return [];
      const rule = "only allowed for updateStrategy 'RollingUpdate'";
      return [withGoFields(fieldErrors.invalid(at, type, rule), goFields)];
    }
    case 'RollingUpdate':
      return rollingUpdate === undefined ? [] : validateRollingUpdate(rollingUpdate, at);
    default:
      return [
        withGoFields(fieldErrors.invalid(path, type, "must be 'RollingUpdate' or 'OnDelete'"), [
          ['Type', type],
          ['RollingUpdate', rollingUpdate && Object.fromEntries(goFields.map(([k, v]) => [k, v ?? null]))],
        ]),
      ];
  }
}

function validateRollingUpdate({ partition, maxUnavailable }: RollingUpdate, path: FieldPath): FieldError[] {
  const errors = validateNonnegative(partition, path.child('partition'));
  if (maxUnavailable === undefined) return errors;
  const at = path.child('maxUnavailable');
  errors.push(...validateIntOrPercent(maxUnavailable, at));
  if (intOrPercentOf(maxUnavailable) === 0)
    errors.push(fieldErrors.invalid(at, maxUnavailable, 'cannot be 0'));
  return [...errors, ...validateAtMost100Percent(maxUnavailable, at)];
}

const RETENTIONS = ['Retain', 'Delete'];

function validateRetention(
  { persistentVolumeClaimRetentionPolicy: policy }: Spec,
  path: FieldPath,
): FieldError[] {
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) => {
    const value = policy?.[name];
    if (policy === undefined || RETENTIONS.includes(value ?? '')) return [];
    return [fieldErrors.notSupported(path.child(name), value ?? '', RETENTIONS)];
  });
}

const validateClaims = ({ volumeClaimTemplates = [] }: Spec, path: FieldPath): FieldError[] =>
  volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
    validateClaimSpec(spec as JsonObject, path.index(index).child('spec')),
  );

function validateTemplate(spec: Spec, { skipTemplate }: SpecRules): FieldError[] {
  const selector = selectorOrUndefined(spec.selector ?? undefined);
  if (selector === undefined) return [invalidSelector(spec.selector!, '', SELECTOR)];
  const template = templateOfPods(spec);
  const { labels, annotations } = template.metadata ?? {};
  return [
    ...(selector.empty ? [] : validateTemplateLabels(selector, template, TEMPLATE)),
    ...(skipTemplate === true ? [] : validatePodTemplateSpec(template, TEMPLATE)),
    ...validateLabels(labels, TEMPLATE.child('labels')),
    ...validateAnnotations(annotations, TEMPLATE.child('annotations')),
  ];
}

/** The template as its pods get it: the controller sets their names and adds the volumes of the claims. */
function templateOfPods({ template, volumeClaimTemplates = [] }: Spec): PodTemplateSpec {
  const { hostname: _, subdomain: __, ...spec } = template.spec;
  if (volumeClaimTemplates.length === 0) return { ...template, spec };
  const claims = [...new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''))];
  const volumes: Volume[] = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (spec.volumes ?? []).filter(({ name }) => !claims.includes(name));
  return { ...template, spec: { ...spec, volumes: [...volumes, ...others] } };
}

/** The parts of the spec that may change. */
const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;
const IMMUTABLE_RULE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const OF_UPDATE: SpecRules = { skipServiceName: true, skipClaims: true };

export function validateStatefulSetUpdate(set: StatefulSet, old: StatefulSet): FieldError[] {
  // A template that was invalid before, which older versions allowed, may stay.
  const skipTemplate = validateStatefulSetSpec(old, OF_UPDATE).length > 0;
  const errors = validateStatefulSetSpec(set, { ...OF_UPDATE, skipTemplate });
  return deepEqual(fixedPart(set.spec), fixedPart(old.spec))
    ? errors
    : [...errors, fieldErrors.forbidden(SPEC, IMMUTABLE_RULE)];
}

const fixedPart = (spec: Spec): JsonValue =>
  Object.fromEntries(
    Object.entries(spec).filter(([name]) => !(MUTABLE as readonly string[]).includes(name)),
  ) as JsonValue;

export const validateStatefulSetStatus = ({ status }: StatefulSet, old: StatefulSet): FieldError[] => [
  ...validateCounts(status, {
    counts: [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ready: 'status.readyReplicas',
  }),
  ...validateCollisions(status, old.status),
];
