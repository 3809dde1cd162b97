// Validation of flow schemas.
import { nameIsDnsLabel, nameIsDnsSubdomain } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { invalidFor } from './checks.ts';

interface Named {
  name: string;
  namespace?: string;
}

export interface FlowSubject {
  kind: string;
  user?: Named;
  group?: Named;
  serviceAccount?: Named;
}

export interface ResourceRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  namespaces?: string[] | null;
  clusterScope?: boolean;
}

export interface NonResourceRule {
  verbs?: string[] | null;
  nonResourceURLs?: string[] | null;
}

export interface FlowRule {
  subjects?: FlowSubject[] | null;
  resourceRules?: ResourceRule[];
  nonResourceRules?: NonResourceRule[];
}

export interface FlowSchema extends KubeObject {
  spec: {
    priorityLevelConfiguration: { name: string };
    matchingPrecedence: number;
    distinguisherMethod?: { type: string };
    rules?: FlowRule[];
  };
  status: { conditions?: { type?: string }[] };
}

const SPEC = FieldPath.of('spec');
const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

export function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence, distinguisherMethod: method } = spec;
  const at = SPEC.child('matchingPrecedence');
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(fieldErrors.invalid(at, precedence, 'must be a positive value'));
  if (precedence > MAX_PRECEDENCE)
    errors.push(fieldErrors.invalid(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`));
  if (precedence === 1 && metadata.name !== 'exempt')
    errors.push(
      fieldErrors.invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"),
    );
  if (method !== undefined && !METHODS.includes(method.type))
    errors.push(
      fieldErrors.notSupported(SPEC.child('distinguisherMethod', 'type'), { Type: method.type }, METHODS),
    );
  const level = spec.priorityLevelConfiguration.name;
  const levelPath = SPEC.child('priorityLevelConfiguration', 'name');
  if (level === '') errors.push(fieldErrors.required(levelPath, 'must reference a priority level'));
  else errors.push(...invalidFor(levelPath, level, nameIsDnsSubdomain(level, false)));
  return [
    ...errors,
    ...(spec.rules ?? []).flatMap((rule, index) => validateRule(rule, SPEC.child('rules').index(index))),
  ];
}

function validateRule({ subjects, resourceRules = [], nonResourceRules = [] }: FlowRule, path: FieldPath) {
  const errors =
    (subjects ?? []).length === 0
      ? [fieldErrors.required(path.child('subjects'), 'subjects must contain at least one value')]
      : subjects!.flatMap((subject, index) => validateSubject(subject, path.child('subjects').index(index)));
  if (resourceRules.length === 0 && nonResourceRules.length === 0)
    errors.push(
      fieldErrors.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'),
    );
  return [
    ...errors,
    ...resourceRules.flatMap((rule, index) =>
      validateResourceRule(rule, path.child('resourceRules').index(index)),
    ),
    ...nonResourceRules.flatMap((rule, index) =>
      validateNonResourceRule(rule, path.child('nonResourceRules').index(index)),
    ),
  ];
}

/** Each kind of subject has a field of its own. */
const FIELDS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function validateSubject(subject: FlowSubject, path: FieldPath): FieldError[] {
  if (!Object.hasOwn(FIELDS, subject.kind))
    return [fieldErrors.notSupported(path.child('kind'), subject.kind, ['Group', 'ServiceAccount', 'User'])];
  const own = FIELDS[subject.kind as keyof typeof FIELDS];
  const value = subject[own];
  const errors =
    value === undefined
      ? [fieldErrors.required(path.child(own), `${own} is required when subject kind is '${subject.kind}'`)]
      : validateNamed(value, own, path.child(own));
  for (const [kind, field] of Object.entries(FIELDS))
    if (field !== own && subject[field] !== undefined)
      errors.push(
        fieldErrors.forbidden(path.child(field), `${field} is forbidden when subject kind is not '${kind}'`),
      );
  return errors;
}

function validateNamed({ name, namespace = '' }: Named, field: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldErrors.required(path.child('name')));
  if (field !== 'serviceAccount') return errors;
  if (name !== '' && name !== '*')
    errors.push(...invalidFor(path.child('name'), name, nameIsDnsSubdomain(name, false)));
  if (namespace === '')
    return [
      ...errors,
      fieldErrors.required(path.child('namespace'), 'must specify namespace for service account'),
    ];
  return [...errors, ...invalidFor(path.child('namespace'), namespace, nameIsDnsLabel(namespace, false))];
}

function validateList(
  values: readonly string[] | null | undefined,
  path: FieldPath,
  missing: string,
  others: string,
): FieldError[] {
  const listed = values ?? [];
  if (listed.length === 0) return [fieldErrors.required(path, missing)];
  return listed.includes('*') && listed.length > 1
    ? [fieldErrors.invalid(path, [...listed], `if '*' is present, must not specify other ${others}`)]
    : [];
}

function validateVerbs(verbs: readonly string[] | null | undefined, path: FieldPath): FieldError[] {
  const errors = validateList(verbs, path, 'verbs must contain at least one value', 'verbs');
  const listed = verbs ?? [];
  const isKnown = listed.includes('*') || listed.every((verb) => VERBS.includes(verb));
  return errors.length > 0 || isKnown ? errors : [fieldErrors.notSupported(path, [...listed], VERBS)];
}

const NAMESPACE_RULE = "each member of this list must be '*' or a DNS-1123 label; ";

function validateResourceRule(rule: ResourceRule, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const at = path.child('namespaces');
  return [
    ...validateVerbs(rule.verbs, path.child('verbs')),
    ...validateList(
      rule.apiGroups,
      path.child('apiGroups'),
      'resource rules must supply at least one api group',
      'api groups',
    ),
    ...validateList(
      rule.resources,
      path.child('resources'),
      'resource rules must supply at least one resource',
      'resources',
    ),
    ...(namespaces.length === 0 && rule.clusterScope === true
      ? []
      : validateList(
          namespaces,
          at,
          'resource rules that are not cluster scoped must supply at least one namespace',
          'namespaces',
        )),
    ...(namespaces.includes('*')
      ? []
      : namespaces.flatMap((name, index) =>
          invalidFor(
            at.index(index),
            name,
            nameIsDnsLabel(name, false).map((reason) => NAMESPACE_RULE + reason),
          ),
        )),
  ];
}

function validateNonResourceRule({ verbs, nonResourceURLs }: NonResourceRule, path: FieldPath): FieldError[] {
  const at = path.child('nonResourceURLs');
  const urls = nonResourceURLs ?? [];
  return [
    ...validateVerbs(verbs, path.child('verbs')),
    ...validateList(urls, at, 'nonResourceURLs must contain at least one value', 'non-resource URLs'),
    ...(urls.includes('*') ? [] : urls.flatMap((url, index) => validateUrl(url, at.index(index)))),
  ];
}

function validateUrl(url: string, path: FieldPath): FieldError[] {
  const refuse = (reason: string): FieldError[] => [fieldErrors.invalid(path, url, reason)];
  if (url === '') return refuse('must not be empty');
  if (url === '/') return [];
  if (!url.startsWith('/')) return refuse('must start with slash');
  if (url.includes(' ')) return refuse('must not contain white-space');
  if (url.includes('//')) return refuse('must not contain double slash');
  return /^[^*]*(\/\*)?$/.test(url) ? [] : refuse('wildcard can only do suffix matching');
}

/** Of both kinds of flow control. */
export function validateFlowConditions({ conditions = [] }: FlowSchema['status']): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '' }, index) => {
    const path = FieldPath.of('status', 'conditions').index(index).child('type');
    const errors = seen.has(type) ? [fieldErrors.duplicate(path, type)] : [];
    seen.add(type);
    return type === '' ? [...errors, fieldErrors.required(path)] : errors;
  });
}
