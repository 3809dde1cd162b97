// The rules of one role, filed by resource, so that a decision looks only at those that can match.
import type { PolicyRule } from '../../../kinds/validate/rbac.ts';
import { type AccessQuery, PATHS } from './access-query.ts';

/** Undefined instead of a set: everything matches. */
interface CompiledRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
}

interface PathRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly exact: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

export class CompiledRole {
  readonly rules: readonly PolicyRule[];
  readonly #byResource = new Map<string, CompiledRule[]>();
  readonly #paths: PathRule[] = [];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    for (const rule of rules) {
      if ((rule.resources ?? []).length > 0) this.#addResourceRule(rule);
      if ((rule.nonResourceURLs ?? []).length > 0) this.#paths.push(pathRule(rule));
    }
  }

  /** The keys of queries that the role can allow. */
  *keys(): Iterable<string> {
    yield* this.#byResource.keys();
    if (this.#paths.length > 0) yield PATHS;
  }

  allows(query: AccessQuery): boolean {
    if (!query.isResourceRequest) return this.#paths.some((rule) => allowsPath(rule, query));
    for (const key of query.keys) {
      const rules = this.#byResource.get(key);
      if (rules === undefined) continue;
      for (const rule of rules) if (allowsResource(rule, query)) return true;
    }
    return false;
  }

  #addResourceRule({ verbs, apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): void {
    const rule = {
      verbs: setOrAll(verbs ?? []),
      groups: setOrAll(apiGroups),
      names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
    };
    for (const resource of new Set(resources)) {
      const filed = this.#byResource.get(resource);
      if (filed === undefined) this.#byResource.set(resource, [rule]);
      else filed.push(rule);
    }
  }
}

const setOrAll = (list: readonly string[]): ReadonlySet<string> | undefined =>
  list.includes('*') ? undefined : new Set(list);

function pathRule({ verbs, nonResourceURLs = [] }: PolicyRule): PathRule {
  return {
    verbs: setOrAll(verbs ?? []),
    exact: new Set(nonResourceURLs),
    prefixes: nonResourceURLs.filter((url) => url.endsWith('*')).map((url) => url.replace(/\*+$/, '')),
  };
}

const isIn = (set: ReadonlySet<string> | undefined, value: string): boolean =>
  set === undefined || set.has(value);

const allowsResource = ({ verbs, groups, names }: CompiledRule, query: AccessQuery): boolean =>
  isIn(verbs, query.verb) && isIn(groups, query.group) && isIn(names, query.name);

const allowsPath = ({ verbs, exact, prefixes }: PathRule, { verb, path }: AccessQuery): boolean =>
  isIn(verbs, verb) && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
