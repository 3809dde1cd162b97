// Which requests are audited, and how much of them: the first rule that matches decides, as upstream.
import type { Attributes } from '../auth/authorizer.ts';

export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

export const AUDIT_STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

export interface GroupResources {
  readonly group: string;
  /** Empty: all of the group. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** Empty lists match everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined: as the policy says. */
  readonly omitManagedFields: boolean | undefined;
}

/** A Policy of audit.k8s.io/v1. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** How one request is audited. */
export interface AuditTerms {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

type MatchedAttributes = Omit<Attributes, 'selectors' | 'version'>;

export function compileAuditPolicy({ rules, omitStages, omitManagedFields }: AuditPolicy) {
  const compiled = rules.map((rule) => ({
    matches: ruleMatcher(rule),
    terms: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const otherwise: AuditTerms = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  return (attributes: MatchedAttributes): AuditTerms =>
    compiled.find(({ matches }) => matches(attributes))?.terms ?? otherwise;
}

function ruleMatcher(rule: AuditRule): (attributes: MatchedAttributes) => boolean {
  const users = setOf(rule.users);
  const groups = setOf(rule.userGroups);
  const verbs = setOf(rule.verbs);
  const target = targetMatcher(rule);
  return (attributes) =>
    (users === undefined || users.has(attributes.user.name)) &&
    (groups === undefined || attributes.user.groups.some((group) => groups.has(group))) &&
    (verbs === undefined || verbs.has(attributes.verb)) &&
    target(attributes);
}

const setOf = (names: readonly string[]): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names);

function targetMatcher({ namespaces, resources, nonResourceURLs }: AuditRule) {
  if (namespaces.length > 0 || resources.length > 0) {
    const within = setOf(namespaces);
    return (attributes: MatchedAttributes): boolean =>
      attributes.isResourceRequest &&
      (within === undefined || within.has(attributes.namespace)) &&
      (resources.length === 0 || resources.some((each) => matchesResource(each, attributes)));
  }
  if (nonResourceURLs.length === 0) return () => true;
  return ({ isResourceRequest, path }: MatchedAttributes): boolean =>
    !isResourceRequest && nonResourceURLs.some((url) => matchesPath(path, url));
}

function matchesResource(rule: GroupResources, attributes: MatchedAttributes): boolean {
  const { group, resource, subresource, name } = attributes;
  if (rule.group !== group && rule.group !== '*') return false;
  if (rule.resources.length === 0) return true;
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(name)) return false;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return rule.resources.some(
    (wanted) =>
      wanted === '*' ||
      wanted === whole ||
      (subresource !== '' && wanted === `*/${subresource}`) ||
      wanted === `${resource}/*`,
  );
}

const matchesPath = (path: string, url: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
