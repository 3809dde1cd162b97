// Levels and versions of the Pod Security Standards, and the policy that the labels of a namespace ask for.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';

const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** The minor version of 1.x, or that of the newest standards. */
export type StandardVersion = number | 'latest';

export interface LevelVersion {
  readonly level: Level;
  readonly version: StandardVersion;
}

/** What is refused, what is noted in the audit log, what is warned of. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export const PREFIX = 'pod-security.kubernetes.io/';
const UNKNOWN_LEVEL = `must be one of ${LEVELS.join(', ')}`;
const UNKNOWN_VERSION = 'must be "latest" or "v1.x"';
const LABELS = FieldPath.of('metadata', 'labels');

export const printLevel = ({ level, version }: LevelVersion): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

export const sameLevel = (a: LevelVersion, b: LevelVersion): boolean =>
  a.level === b.level && a.version === b.version;

/** True if `a` demands more than `b`. */
export const isStricter = (a: Level, b: Level): boolean => LEVELS.indexOf(a) > LEVELS.indexOf(b);

export const isPrivileged = (...modes: readonly LevelVersion[]): boolean =>
  modes.every(({ level }) => level === 'privileged');

export function parseLevel(text: string): Level | { readonly fault: string } {
  return LEVELS.find((level) => level === text) ?? { fault: UNKNOWN_LEVEL };
}

export function parseVersion(text: string): StandardVersion | { readonly fault: string } {
  if (text === 'latest') return 'latest';
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor === undefined ? { fault: UNKNOWN_VERSION } : Number(minor);
}

export interface LabeledPolicy {
  readonly policy: PodSecurityPolicy;
  /** Labels that cannot be read. */
  readonly errors: readonly FieldError[];
}

/** An enforced level that cannot be read is restricted; one that is audited or warned of, privileged. */
export function policyOfLabels(
  labels: Readonly<Record<string, string>>,
  defaults: PodSecurityPolicy,
): LabeledPolicy {
  const errors: FieldError[] = [];
  const read = <T>(
    key: string,
    parse: (text: string) => T | { readonly fault: string },
    otherwise: T,
    faulty: T,
  ): T => {
    const label = PREFIX + key;
    if (!Object.hasOwn(labels, label)) return otherwise;
    const parsed = parse(labels[label]!);
    if (typeof parsed !== 'object' || parsed === null || !('fault' in parsed)) return parsed as T;
    errors.push(fieldErrors.invalid(LABELS.key(label), labels[label]!, parsed.fault as string));
    return faulty;
  };
  const mode = (name: keyof PodSecurityPolicy, faulty: Level): LevelVersion => ({
    level: read<Level>(name, parseLevel, defaults[name].level, faulty),
    version: read<StandardVersion>(`${name}-version`, parseVersion, defaults[name].version, 'latest'),
  });
  const enforce = mode('enforce', 'restricted');
  const isEnforced =
    Object.hasOwn(labels, `${PREFIX}enforce`) && LEVELS.includes(labels[`${PREFIX}enforce`] as Level);
  const policy = { enforce, audit: mode('audit', 'privileged'), warn: mode('warn', 'privileged') };
  const inherits =
    !Object.hasOwn(labels, `${PREFIX}warn`) && isEnforced && isStricter(enforce.level, policy.warn.level);
  if (!inherits) return { policy, errors };
  const version = Object.hasOwn(labels, `${PREFIX}warn-version`) ? policy.warn.version : enforce.version;
  return { policy: { ...policy, warn: { level: enforce.level, version } }, errors };
}
