// What a check finds wrong with a pod, and the words for who is to blame.
import type { CheckedPod, Container, SecurityContext } from './pod.ts';

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Check = (pod: CheckedPod) => Violation | undefined;

export const joinQuoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');
export const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`);
export const sortedSet = (texts: Iterable<string>): string[] => [...new Set(texts)].sort();

export const named = (word: string, names: readonly string[]): string =>
  `${plural(word, names.length)} ${joinQuoted(names)}`;

export const containersNamed = (names: readonly string[]): string => named('container', names);

export function badContainers(pod: CheckedPod, isBad: (container: Container) => boolean): string[] {
  return pod.containers.filter(isBad).map(({ name }) => name);
}

/** Who sets what is not allowed: the pod, some containers. Empty if nobody does. */
export function settersOf(pod: CheckedPod, isBad: (context: SecurityContext) => boolean): string {
  const { securityContext: own } = pod.spec;
  const containers = badContainers(
    pod,
    ({ securityContext }) => securityContext !== undefined && isBad(securityContext),
  );
  return [
    ...(own !== undefined && isBad(own) ? ['pod'] : []),
    ...(containers.length > 0 ? [containersNamed(containers)] : []),
  ].join(' and ');
}

/** The security contexts of the pod and its containers. */
export const contextsOf = ({ spec, containers }: CheckedPod): SecurityContext[] =>
  [spec, ...containers].flatMap(({ securityContext }) => securityContext ?? []);
