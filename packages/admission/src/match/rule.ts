// One rule of a webhook or a policy: operations, groups, versions, resources and scope, compiled to sets.
import type { AdmissionOperation, GroupVersionResource } from '@instar/machinery';

/** A rule of a webhook or policy as a configuration has it: operations, groups, versions, resources. */
export interface RuleSource {
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly scope?: string | null;
  /** Policies only: the names of the objects, if not all. */
  readonly resourceNames?: readonly string[] | null;
}

/** What a rule matches on. */
interface RuleSubject {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
}

export interface CompiledRule {
  matches(subject: RuleSubject): boolean;
  /** Undefined: all names. */
  readonly names: ReadonlySet<string> | undefined;
}

type Test = (text: string) => boolean;

const anything: Test = () => true;

export function compileRule(rule: RuleSource): CompiledRule {
  const operation = oneOf(rule.operations);
  const group = oneOf(rule.apiGroups);
  const version = oneOf(rule.apiVersions);
  const resource = compileResources(rule.resources ?? []);
  const scope = compileScope(rule.scope ?? '*');
  const names = rule.resourceNames ?? [];
  return {
    matches: (subject) =>
      operation(subject.operation) &&
      group(subject.resource.group) &&
      version(subject.resource.version) &&
      resource(subject.resource.resource, subject.subresource) &&
      scope(subject),
    names: names.length === 0 ? undefined : new Set(names),
  };
}

function oneOf(items: readonly string[] | null | undefined): Test {
  const set = new Set(items ?? []);
  return set.has('*') ? anything : (text) => set.has(text);
}

/** "pods", "pods/status", "pods/*", "*" (no subresources), "*∕status", "*∕*". */
function compileResources(resources: readonly string[]): (resource: string, subresource: string) => boolean {
  const pairs = resources.map((text) => {
    const slash = text.indexOf('/');
    return slash < 0 ? ([text, ''] as const) : ([text.slice(0, slash), text.slice(slash + 1)] as const);
  });
  return (resource, subresource) =>
    pairs.some(
      ([wanted, sub]) => (wanted === '*' || wanted === resource) && (sub === '*' || sub === subresource),
    );
}

function compileScope(scope: string): (subject: RuleSubject) => boolean {
  switch (scope) {
    case '*':
      return () => true;
    case 'Namespaced':
      return (subject) => !isClusterScoped(subject);
    case 'Cluster':
      return isClusterScoped;
    default:
      return () => false;
  }
}

/** A namespace has itself as namespace, and is cluster-scoped all the same. */
function isClusterScoped({ resource, namespace }: RuleSubject): boolean {
  return (
    namespace === '' ||
    (resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces')
  );
}
