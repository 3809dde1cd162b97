// Reads an audit policy from text, with the errors of kube-apiserver. Unknown and repeated fields are
// tolerated with a warning, as there.
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import {
  aggregateMessage,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseYaml,
} from '@instar/machinery';
import {
  AUDIT_LEVELS,
  AUDIT_STAGES,
  type AuditLevel,
  type AuditPolicy,
  type AuditRule,
  type AuditStage,
  type GroupResources,
} from './policy.ts';

const API_VERSION = 'audit.k8s.io/v1';
const POLICY_FIELDS = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const RULE_FIELDS = [
  ...['level', 'users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'],
  ...['omitStages', 'omitManagedFields'],
];
const RESOURCE_FIELDS = ['group', 'resources', 'resourceNames'];

/** Throws an Error that says what is wrong with the text. `warn` gets what is tolerated. */
export function parseAuditPolicy(text: string, warn: (what: string) => void = () => {}): AuditPolicy {
  const { value, duplicates } = parseYaml(text);
  const source = objectOf(value, 'the policy');
  const { apiVersion = '', kind = '' } = source;
  if (apiVersion !== API_VERSION || kind !== 'Policy')
    throw new Error(`unknown group version field ${String(apiVersion)}, Kind=${String(kind)} in policy`);
  const policy = policyOf(source);
  const tolerated = [...duplicates, ...unknownFields(source).map((path) => `unknown field ${quoteGo(path)}`)];
  if (tolerated.length > 0)
    warn(`Audit policy contains errors, falling back to lenient decoding: ${tolerated.join(', ')}`);
  const faults = faultsOf(policy);
  if (faults.length > 0) throw new Error(aggregateMessage(faults));
  if (policy.rules.length === 0) throw new Error('loaded illegal policy with 0 rules');
  return policy;
}

function policyOf(source: JsonObject): AuditPolicy {
  return {
    rules: listOf(source, 'rules', 'rules', (rule, path) => ruleOf(objectOf(rule, path), path)),
    omitStages: textsOf(source, 'omitStages', '') as AuditStage[],
    omitManagedFields: flagOf(source, 'omitManagedFields', '') ?? false,
  };
}

function ruleOf(rule: JsonObject, path: string): AuditRule {
  const within = `${path}.`;
  return {
    level: textOf(rule, 'level', within) as AuditLevel,
    users: textsOf(rule, 'users', within),
    userGroups: textsOf(rule, 'userGroups', within),
    verbs: textsOf(rule, 'verbs', within),
    resources: listOf(rule, 'resources', `${within}resources`, (item, at) =>
      resourcesOf(objectOf(item, at), `${at}.`),
    ),
    namespaces: textsOf(rule, 'namespaces', within),
    nonResourceURLs: textsOf(rule, 'nonResourceURLs', within),
    omitStages: textsOf(rule, 'omitStages', within) as AuditStage[],
    omitManagedFields: flagOf(rule, 'omitManagedFields', within),
  };
}

const resourcesOf = (item: JsonObject, within: string): GroupResources => ({
  group: textOf(item, 'group', within),
  resources: textsOf(item, 'resources', within),
  resourceNames: textsOf(item, 'resourceNames', within),
});

const mistyped = (path: string, wanted: string): Error =>
  new Error(`failed decoding: the field ${path} must be ${wanted}`);

function objectOf(value: JsonValue, path: string): JsonObject {
  if (!isJsonObject(value)) throw mistyped(path, 'an object');
  return value;
}

function memberOf(object: JsonObject, name: string): JsonValue {
  return Object.hasOwn(object, name) ? object[name]! : null;
}

function textOf(object: JsonObject, name: string, within: string): string {
  const value = memberOf(object, name) ?? '';
  if (typeof value !== 'string') throw mistyped(within + name, 'a string');
  return value;
}

function flagOf(object: JsonObject, name: string, within: string): boolean | undefined {
  const value = memberOf(object, name);
  if (value === null) return undefined;
  if (typeof value !== 'boolean') throw mistyped(within + name, 'true or false');
  return value;
}

function listOf<T>(
  object: JsonObject,
  name: string,
  path: string,
  each: (item: JsonValue, path: string) => T,
) {
  const value = memberOf(object, name) ?? [];
  if (!Array.isArray(value)) throw mistyped(path, 'a list');
  return value.map((item, index) => each(item, `${path}[${index}]`));
}

const textsOf = (object: JsonObject, name: string, within: string): string[] =>
  listOf(object, name, within + name, (item, path) => {
    if (typeof item !== 'string') throw mistyped(path, 'a string');
    return item;
  });

function unknownFields(policy: JsonObject): string[] {
  const unknown = unknownIn(policy, POLICY_FIELDS, '');
  for (const [index, rule] of ((policy['rules'] ?? []) as JsonObject[]).entries()) {
    const path = `rules[${index}].`;
    unknown.push(...unknownIn(rule, RULE_FIELDS, path));
    for (const [at, item] of ((rule['resources'] ?? []) as JsonObject[]).entries())
      unknown.push(...unknownIn(item, RESOURCE_FIELDS, `${path}resources[${at}].`));
  }
  return unknown;
}

const unknownIn = (object: JsonObject, known: readonly string[], within: string): string[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => within + name);

function faultsOf({ rules, omitStages }: AuditPolicy): FieldError[] {
  return [
    ...stageFaults(omitStages, FieldPath.of('omitStages')),
    ...rules.flatMap((rule, index) => ruleFaults(rule, FieldPath.of('rules').index(index))),
  ];
}

function ruleFaults(rule: AuditRule, path: FieldPath): FieldError[] {
  const { nonResourceURLs: urls } = rule;
  const isMixed = urls.length > 0 && (rule.resources.length > 0 || rule.namespaces.length > 0);
  const at = path.child('nonResourceURLs');
  const mixed = 'rules cannot apply to both regular resources and non-resource URLs';
  return [
    ...levelFaults(rule.level, path.child('level')),
    ...urls.flatMap((url, index) => urlFaults(url, at.index(index))),
    ...rule.resources.flatMap((item) => resourceFaults(item, path.child('resources'))),
    ...stageFaults(rule.omitStages, path.child('omitStages')),
    ...(isMixed ? [fieldErrors.invalid(at, [...urls], mixed)] : []),
  ];
}

function levelFaults(level: string, path: FieldPath): FieldError[] {
  if (level === '') return [fieldErrors.required(path)];
  const isKnown = (AUDIT_LEVELS as readonly string[]).includes(level);
  return isKnown ? [] : [fieldErrors.notSupported(path, level, [...AUDIT_LEVELS])];
}

function urlFaults(url: string, path: FieldPath): FieldError[] {
  if (url === '*') return [];
  const faults: FieldError[] = [];
  if (!url.startsWith('/'))
    faults.push(fieldErrors.invalid(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*')) {
    const why = "non-resource URL wildcards '*' must be the final character of the rule";
    faults.push(fieldErrors.invalid(path, url, why));
  }
  return faults;
}

function resourceFaults({ group, resources, resourceNames }: GroupResources, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const why = group === '' || group === '*' ? [] : nameIsDnsSubdomain(group, false);
  if (why.length > 0) faults.push(fieldErrors.invalid(path.child('group'), group, why.join(',')));
  if (resourceNames.length > 0 && resources.length === 0) {
    const detail = 'using resourceNames requires at least one resource';
    faults.push(fieldErrors.invalid(path.child('resourceNames'), [...resourceNames], detail));
  }
  return faults;
}

const stageFaults = (stages: readonly string[], path: FieldPath): FieldError[] =>
  stages.flatMap((stage, index) =>
    (AUDIT_STAGES as readonly string[]).includes(stage)
      ? []
      : [fieldErrors.invalid(path.index(index), stage, `allowed stages are ${AUDIT_STAGES.join(',')}`)],
  );
