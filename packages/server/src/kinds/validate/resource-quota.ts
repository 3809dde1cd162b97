// Validation of resource quotas.
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { type Amounts, validateResourceAmount, validateResourceName } from './quantities.ts';

interface ScopeRequirement {
  scopeName: string;
  operator: string;
  values?: string[];
}

export interface QuotaSpec {
  hard?: Amounts;
  scopes?: string[];
  scopeSelector?: { matchExpressions?: ScopeRequirement[] };
}

export interface ResourceQuota extends KubeObject {
  spec: QuotaSpec;
  status: { hard?: Amounts; used?: Amounts };
}

const POD_RESOURCES: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
const CLAIM_RESOURCES: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);
const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  ...POD_RESOURCES,
  ...CLAIM_RESOURCES,
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Scopes of pods, and which resources they can limit. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', POD_RESOURCES],
  ['NotTerminating', POD_RESOURCES],
  ['BestEffort', new Set(['pods'])],
  ['NotBestEffort', POD_RESOURCES],
  ['PriorityClass', POD_RESOURCES],
  ['CrossNamespacePodAffinity', POD_RESOURCES],
  ['VolumeAttributesClass', CLAIM_RESOURCES],
]);
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
] as const;

const isHugePages = (name: string): boolean => /^(requests\.)?hugepages-/.test(name);
const isQuotaResource = (name: string): boolean => QUOTA_RESOURCES.has(name) || isHugePages(name);

function validateAmounts(amounts: Amounts, path: FieldPath): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const at = path.key(name);
    const errors = validateResourceName(name, at);
    if (!name.includes('/') && !isQuotaResource(name))
      errors.push(fieldErrors.invalid(at, name, 'must be a standard resource for quota'));
    return [...errors, ...validateResourceAmount(name, amount, at)];
  });
}

export const validateQuotaStatus = ({ hard = {}, used = {} }: ResourceQuota['status']): FieldError[] => [
  ...validateAmounts(hard, FieldPath.of('status', 'hard')),
  ...validateAmounts(used, FieldPath.of('status', 'used')),
];

export function validateQuotaSpec(spec: QuotaSpec): FieldError[] {
  const path = FieldPath.of('spec');
  return [
    ...validateAmounts(spec.hard ?? {}, path.child('hard')),
    ...validateScopes(spec, path.child('scopes')),
    ...validateSelector(spec, path.child('scopeSelector', 'matchExpressions')),
  ];
}

const countMismatches = (scope: string, { hard = {} }: QuotaSpec): number =>
  Object.keys(hard).filter((name) => isQuotaResource(name) && SCOPES.get(scope)?.has(name) === false).length;

const conflicts = (scopes: readonly string[]): number =>
  OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

function validateScopes(spec: QuotaSpec, path: FieldPath): FieldError[] {
  const scopes = spec.scopes ?? [];
  const refuse = (reason: string): FieldError => fieldErrors.invalid(path, scopes, reason);
  const repeat = (count: number, reason: string): FieldError[] => Array(count).fill(refuse(reason));
  return [
    ...scopes.flatMap((scope) => [
      ...repeat(SCOPES.has(scope) ? 0 : 1, 'unsupported scope'),
      ...repeat(countMismatches(scope, spec), 'unsupported scope applied to resource'),
    ]),
    ...repeat(conflicts(scopes), 'conflicting scopes'),
  ];
}

const EXISTS_ONLY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function validateSelector(spec: QuotaSpec, path: FieldPath): FieldError[] {
  const expressions = spec.scopeSelector?.matchExpressions ?? [];
  const errors = expressions.flatMap((requirement) => {
    const { scopeName, operator } = requirement;
    const found: FieldError[] = [];
    if (!SCOPES.has(scopeName))
      found.push(fieldErrors.invalid(path.child('scopeName'), scopeName, 'unsupported scope'));
    for (let count = countMismatches(scopeName, spec); count > 0; count--)
      found.push(
        fieldErrors.invalid(path, { MatchExpressions: [] }, 'unsupported scope applied to resource'),
      );
    const takesValues = scopeName === 'PriorityClass' || scopeName === 'VolumeAttributesClass';
    if (SCOPES.has(scopeName) && !takesValues && operator !== 'Exists')
      found.push(fieldErrors.invalid(path.child('operator'), operator, EXISTS_ONLY));
    return [...found, ...validateOperator(requirement, path)];
  });
  for (let count = conflicts(expressions.map(({ scopeName }) => scopeName)); count > 0; count--)
    errors.push(fieldErrors.invalid(path, spec.scopes ?? null, 'conflicting scopes'));
  return errors;
}

function validateOperator({ operator, values = [] }: ScopeRequirement, path: FieldPath): FieldError[] {
  const at = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [
            fieldErrors.required(
              at,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            fieldErrors.invalid(
              at,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [fieldErrors.invalid(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

export function validateQuotaUpdate({ spec }: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = new Set(spec.scopes ?? []);
  const before = new Set(old.spec.scopes ?? []);
  const isSame = scopes.size === before.size && [...scopes].every((scope) => before.has(scope));
  return [
    ...validateQuotaSpec(spec),
    ...(isSame ? [] : [fieldErrors.invalid('spec.scopes', spec.scopes ?? null, 'field is immutable')]),
  ];
}
