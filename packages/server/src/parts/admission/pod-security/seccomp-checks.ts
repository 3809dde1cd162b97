// The checks of seccomp profiles: baseline forbids running without one, restricted demands that one be named.
import { quoteGo } from '@instar/go';
import type { SecurityContext } from './pod.ts';
import {
  badContainers,
  type Check,
  containersNamed,
  contextsOf,
  joinQuoted,
  plural,
  settersOf,
  sortedSet,
} from './violation.ts';

const ALPHA = 'seccomp.security.alpha.kubernetes.io/pod';
const ALPHA_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

const isAllowedAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Before 1.19 profiles were annotations. */
export const seccompAnnotations: Check = ({ annotations, containers }) => {
  const keys = [ALPHA, ...containers.map(({ name }) => ALPHA_CONTAINER + name)];
  const bad = sortedSet(
    keys
      .filter((key) => Object.hasOwn(annotations, key) && !isAllowedAnnotation(annotations[key]!))
      .map((key) => `${key}=${quoteGo(annotations[key]!)}`),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', bad.length)} ${bad.join(', ')}`,
  };
};

const isBad = ({ seccompProfile }: SecurityContext): boolean =>
  seccompProfile !== undefined && !['Localhost', 'RuntimeDefault'].includes(seccompProfile.type ?? '');

export const seccompProfile: Check = (pod) => {
  const setters = settersOf(pod, isBad);
  if (setters === '') return undefined;
  const types = sortedSet(
    contextsOf(pod)
      .filter(isBad)
      .map((context) => context.seccompProfile!.type ?? ''),
  );
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${joinQuoted(types)}`,
  };
};

export const namedSeccompProfile: Check = (pod) => {
  const bad = seccompProfile(pod);
  if (bad !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return bad;
  const without = badContainers(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (without.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersNamed(without)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
