// Which of some rules other rules do not cover: what a user must not grant because they do not hold it.
import { quoteGo } from '@instar/go';
import type { PolicyRule } from '../../../kinds/validate/rbac.ts';

/** A rule with one verb and either one group, one resource and at most one name, or one path. */
interface Permission {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly path?: string;
}

/**
 * More would take seconds to compare. A role of this size is not granted by those who need the comparison;
 * its author can split it.
 */
const MAX_COMPARISONS = 20_000_000;

/** The permissions in `wanted` that no single rule of `held` has, as rules; in the order of `wanted`. */
export function uncovered(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly Permission[] | 'too-many' {
  const size = wanted.reduce((sum, rule) => sum + permissionCount(rule), 0);
  if (size * Math.max(held.length, 1) > MAX_COMPARISONS) return 'too-many';
  const owners = held.map(coverOf);
  const missing: Permission[] = [];
  for (const rule of wanted)
    for (const permission of permissionsOf(rule))
      if (!owners.some((owner) => covers(owner, permission))) missing.push(permission);
  return missing;
}

function permissionCount({ verbs, apiGroups = [], resources = [], ...rest }: PolicyRule): number {
  const { resourceNames = [], nonResourceURLs = [] } = rest;
  const onResources = apiGroups.length * resources.length * Math.max(resourceNames.length, 1);
  return (verbs ?? []).length * (onResources + nonResourceURLs.length);
}

function* permissionsOf(rule: PolicyRule): Iterable<Permission> {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const verbs = rule.verbs ?? [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        if (resourceNames.length === 0) yield { verb, group, resource };
        for (const name of resourceNames) yield { verb, group, resource, name };
      }
  for (const path of nonResourceURLs) for (const verb of verbs) yield { verb, path };
}

interface Cover {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly paths: readonly string[];
}

function coverOf(rule: PolicyRule): Cover {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  return {
    verbs: new Set(rule.verbs ?? []),
    groups: new Set(apiGroups),
    resources: new Set(resources),
    names: new Set(resourceNames),
    paths: nonResourceURLs,
  };
}

function covers({ verbs, groups, resources, names, paths }: Cover, permission: Permission): boolean {
  const { verb, group, resource, name, path } = permission;
  if (!verbs.has('*') && !verbs.has(verb)) return false;
  // A rule that is limited to names covers no permission that is not; this concerns paths too, as upstream.
  if (names.size > 0 && (name === undefined || !names.has(name))) return false;
  if (path !== undefined) return paths.some((owned) => coversPath(owned, path));
  return (groups.has('*') || groups.has(group!)) && coversResource(resources, resource!);
}

function coversResource(owned: ReadonlySet<string>, resource: string): boolean {
  if (owned.has('*') || owned.has(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.has(`*${resource.slice(slash)}`);
}

const coversPath = (owned: string, path: string): boolean =>
  owned === path || (owned.endsWith('*') && path.startsWith(owned.replace(/\*+$/, '')));

/** As upstream lists them: the verbs of one resource together, one line each, sorted. */
export function missingLines(missing: readonly Permission[]): string[] {
  const byTarget = new Map<string, { readonly first: Permission; readonly verbs: string[] }>();
  const lines: string[] = [];
  for (const permission of missing) {
    const { verb, group, resource, name, path } = permission;
    if (path !== undefined) {
      lines.push(line(permission, [verb]));
      continue;
    }
    const target = JSON.stringify([group, resource, name]);
    const known = byTarget.get(target);
    if (known === undefined) byTarget.set(target, { first: permission, verbs: [verb] });
    else known.verbs.push(verb);
  }
  for (const { first, verbs } of byTarget.values()) lines.push(line(first, verbs));
  return [...new Set(lines)].sort();
}

function line({ group, resource, name, path }: Permission, verbs: readonly string[]): string {
  const list = (texts: readonly string[]): string => `[${texts.map((text) => quoteGo(text)).join(' ')}]`;
  const parts =
    path === undefined
      ? [`APIGroups:${list([group!])}`, `Resources:${list([resource!])}`]
      : [`NonResourceURLs:${list([path])}`];
  if (name !== undefined) parts.push(`ResourceNames:${list([name])}`);
  return `{${[...parts, `Verbs:${list(verbs)}`].join(', ')}}`;
}
