// Which objects the scopes of a quota are about: properties of pods, and the class of a claim's volume.
import type { KubeObject } from '@instar/machinery';
import { compareAmounts } from '../../../kinds/validate/quantities.ts';
import type { QuotaSpec } from '../../../kinds/validate/resource-quota.ts';
import type { CountedPod } from './pod-amounts.ts';

interface AffinityTerm {
  namespaces?: string[];
  namespaceSelector?: object;
}

interface Affinity {
  requiredDuringSchedulingIgnoredDuringExecution?: AffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm: AffinityTerm }[];
}

interface ScopedPod extends CountedPod {
  spec: CountedPod['spec'] & { affinity?: { podAffinity?: Affinity; podAntiAffinity?: Affinity } };
}

interface ScopedClaim extends KubeObject {
  spec: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

/** A quota with scopes is for nothing that has not the properties they ask for. */
export function isInScopes({ scopes = [], scopeSelector }: QuotaSpec, object: KubeObject): boolean {
  const requirements = [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] as string[] })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
  return requirements.every(({ scopeName, operator, values = [] }) => {
    if (object.kind === 'PersistentVolumeClaim')
      return (
        scopeName === 'VolumeAttributesClass' &&
        matchesNames(volumeClassesOf(object as ScopedClaim), operator, values)
      );
    return object.kind === 'Pod' && matchesPod(object as ScopedPod, scopeName, operator, values);
  });
}

function matchesPod(
  { spec }: ScopedPod,
  scope: string,
  operator: string,
  values: readonly string[],
): boolean {
  switch (scope) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return isBestEffort(spec);
    case 'NotBestEffort':
      return !isBestEffort(spec);
    case 'PriorityClass':
      return matchesNames(spec.priorityClassName ? [spec.priorityClassName] : [], operator, values);
    case 'CrossNamespacePodAffinity':
      return (
        crossesNamespaces(spec.affinity?.podAffinity) || crossesNamespaces(spec.affinity?.podAntiAffinity)
      );
    default:
      return false;
  }
}

function matchesNames(names: readonly string[], operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return names.length > 0;
  if (operator === 'DoesNotExist') return names.length === 0;
  if (operator === 'In') return names.some((name) => values.includes(name));
  return names.length === 0 || names.some((name) => !values.includes(name));
}

const isTerminating = ({ activeDeadlineSeconds }: ScopedPod['spec']): boolean =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;

/** The lowest class of service: no part of the pod asks for processors or memory. */
function isBestEffort({ containers, initContainers = [], resources }: ScopedPod['spec']): boolean {
  return [{ resources }, ...containers, ...initContainers].every((each) =>
    [each.resources?.requests, each.resources?.limits].every((amounts) =>
      ['cpu', 'memory'].every((name) => compareAmounts(amounts?.[name], '0') === 0),
    ),
  );
}

function crossesNamespaces(affinity: Affinity | undefined): boolean {
  const terms = [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ];
  return terms.some(
    ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
  );
}

const volumeClassesOf = ({ spec, status }: ScopedClaim): string[] =>
  [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => name !== undefined && name !== '');
