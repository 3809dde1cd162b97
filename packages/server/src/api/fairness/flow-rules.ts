// The rules of a flow schema, compiled: whom they concern, and which requests of theirs. The meaning of lists
// and wildcards is upstream's: "*" only counts if it is alone.
import type {
  FlowRule,
  FlowSubject,
  NonResourceRule,
  ResourceRule,
} from '../../kinds/validate/flow-schema.ts';
import type { ApiRequest, UserInfo } from '../../wire/exchange.ts';

/** Undefined: everything. */
type Allowed = ReadonlySet<string> | undefined;

interface ResourceMatcher {
  readonly verbs: Allowed;
  readonly groups: Allowed;
  readonly resources: Allowed;
  readonly namespaces: Allowed;
  readonly clusterScope: boolean;
}

interface PathMatcher {
  readonly verbs: Allowed;
  readonly paths: Allowed;
  /** Each ends in a slash. */
  readonly prefixes: readonly string[];
}

/** The requests of a schema by one user. */
export interface RequestMatcher {
  readonly resources: readonly ResourceMatcher[];
  readonly paths: readonly PathMatcher[];
}

export interface CompiledRule extends RequestMatcher {
  readonly subjects: readonly ((user: UserInfo) => boolean)[];
}

const allowed = (values: readonly string[] | null | undefined): Allowed =>
  values?.length === 1 && values[0] === '*' ? undefined : new Set(values ?? []);

export function compileRule({ subjects, resourceRules, nonResourceRules }: FlowRule): CompiledRule {
  return {
    subjects: (subjects ?? []).map(compileSubject),
    resources: (resourceRules ?? []).map(compileResources),
    paths: (nonResourceRules ?? []).map(compilePaths),
  };
}

function compileSubject({ kind, user, group, serviceAccount }: FlowSubject): (user: UserInfo) => boolean {
  if (kind === 'User' && user !== undefined) return ({ name }) => user.name === '*' || user.name === name;
  if (kind === 'Group' && group !== undefined)
    return ({ groups }) => group.name === '*' || groups.includes(group.name);
  if (kind !== 'ServiceAccount' || serviceAccount === undefined) return () => false;
  const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
  if (serviceAccount.name === '*') return ({ name }) => name.startsWith(prefix);
  const whole = prefix + serviceAccount.name;
  return ({ name }) => name === whole;
}

function compileResources(rule: ResourceRule): ResourceMatcher {
  return {
    verbs: allowed(rule.verbs),
    groups: allowed(rule.apiGroups),
    resources: allowed(rule.resources),
    namespaces: allowed(rule.namespaces),
    clusterScope: rule.clusterScope === true,
  };
}

function compilePaths({ verbs, nonResourceURLs }: NonResourceRule): PathMatcher {
  const urls = nonResourceURLs ?? [];
  return {
    verbs: allowed(verbs),
    paths: urls.includes('*') ? undefined : new Set(urls),
    // A path stands for what is below it, too.
    prefixes: urls.map((url) => url.replace(/\*$/, '')).map((url) => (url.endsWith('/') ? url : `${url}/`)),
  };
}

/** Undefined: none of the rules concerns the user. */
export function matcherFor(user: UserInfo, rules: readonly CompiledRule[]): RequestMatcher | undefined {
  const own = rules.filter(({ subjects }) => subjects.some((concerns) => concerns(user)));
  if (own.length === 0) return undefined;
  return { resources: own.flatMap((rule) => rule.resources), paths: own.flatMap((rule) => rule.paths) };
}

/** True: no request of the user gets past it. */
export const matchesEverything = ({ resources, paths }: RequestMatcher): boolean =>
  resources.some(
    (rule) =>
      rule.clusterScope &&
      [rule.verbs, rule.groups, rule.resources, rule.namespaces].every((set) => set === undefined),
  ) && paths.some((rule) => rule.verbs === undefined && rule.paths === undefined);

export function matches(matcher: RequestMatcher, { info, path }: ApiRequest): boolean {
  if (!info.isResourceRequest)
    return matcher.paths.some((rule) => matchesPath(rule, info.nonResourceVerb, path));
  const { verb, group, namespace, resource, subresource } = info;
  for (const rule of matcher.resources) {
    if (rule.verbs !== undefined && !rule.verbs.has(verb)) continue;
    if (rule.groups !== undefined && !rule.groups.has(group)) continue;
    if (
      namespace === '' ? !rule.clusterScope : rule.namespaces !== undefined && !rule.namespaces.has(namespace)
    )
      continue;
    if (
      rule.resources === undefined ||
      rule.resources.has(subresource === '' ? resource : `${resource}/${subresource}`)
    )
      return true;
  }
  return false;
}

const matchesPath = ({ verbs, paths, prefixes }: PathMatcher, verb: string, path: string): boolean =>
  (verbs === undefined || verbs.has(verb)) &&
  (paths === undefined || paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
