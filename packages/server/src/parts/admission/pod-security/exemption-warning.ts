// What the author of a namespace is told whose labels have no effect.
import {
  isPrivileged,
  type LevelVersion,
  type PodSecurityPolicy,
  PREFIX,
  printLevel,
  sameLevel,
} from './level.ts';

const MODES = ['enforce', 'audit', 'warn'] as const;

export function exemptionWarning(
  name: string,
  labels: Readonly<Record<string, string>>,
  policy: PodSecurityPolicy,
  defaults: PodSecurityPolicy,
): string | undefined {
  const isUsual = MODES.every((mode) => isEquivalent(policy[mode], defaults[mode]));
  if (isUsual || isPrivileged(policy.enforce, policy.audit, policy.warn)) return undefined;
  const said = MODES.filter(
    (mode) =>
      !isPrivileged(policy[mode]) &&
      (Object.hasOwn(labels, PREFIX + mode) || Object.hasOwn(labels, `${PREFIX}${mode}-version`)),
  ).map((mode) => `${mode}=${printLevel(policy[mode])}`);
  return `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${said.join(', ')}) will be ignored`;
}

const isEquivalent = (a: LevelVersion, b: LevelVersion): boolean => sameLevel(a, b) || isPrivileged(a, b);
