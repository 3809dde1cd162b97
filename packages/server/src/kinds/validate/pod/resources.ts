// What containers and pods request and may use at most.
import { compareQuantities, validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { PodSpec, ResourceList, ResourceRequirements } from './pod-types.ts';
import { aggregated, isMore, quantityOf } from './resource-lists.ts';
import { invalidEach, validateLabelText } from './values.ts';

const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
const STANDARD_RESOURCES = new Set([
  ...CONTAINER_RESOURCES,
  ...['requests.cpu', 'requests.memory', 'requests.ephemeral-storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'storage', 'requests.storage', 'services.nodeports'],
  ...['services.loadbalancers'],
]);
/** Objects are counted in whole numbers. */
const COUNTED = new Set([
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

/** May be requested beyond what exists, so that limits may exceed requests. */
const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);
const isWhole = (name: string): boolean => COUNTED.has(name) || isExtended(name);

function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = invalidEach(path, name, validateQualifiedName(name));
  if (errors.length > 0 || name.includes('/')) return errors;
  return STANDARD_RESOURCES.has(name) || isHugePages(name)
    ? []
    : [fieldErrors.invalid(path, name, 'must be a standard resource type or fully qualified')];
}

function containerNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/')) {
    if (!CONTAINER_RESOURCES.has(name) && !isHugePages(name))
      errors.push(fieldErrors.invalid(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtended(name))
    errors.push(fieldErrors.invalid(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

function podNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [fieldErrors.notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

function validateQuantityValue(name: string, amount: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (quantityOf(amount).unscaled < 0n)
    errors.push(fieldErrors.invalid(path, amount, 'must be greater than or equal to 0'));
  if (isWhole(name) && !isInteger(amount))
    errors.push(fieldErrors.invalid(path, amount, 'must be an integer'));
  return errors;
}

function isInteger(amount: string): boolean {
  const { unscaled, scale } = quantityOf(amount);
  return scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;
}

type NameErrors = (name: string, path: FieldPath) => FieldError[];

export const validateContainerResources = (
  requirements: ResourceRequirements,
  claims: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] => validateRequirements(requirements, containerNameErrors, claims, path);

function validateRequirements(
  { limits = {}, requests = {}, claims }: ResourceRequirements,
  nameErrors: NameErrors,
  podClaims: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const limitsPath = path.child('limits');
  const requestsPath = path.child('requests');
  for (const [name, amount] of Object.entries(limits))
    errors.push(...validateAmount(name, amount, nameErrors, limitsPath.key(name)));
  for (const [name, amount] of Object.entries(requests)) {
    const at = requestsPath.key(name);
    errors.push(...nameErrors(name, at), ...validateQuantityValue(name, amount, at));
    errors.push(...validateWithinLimit(name, amount, limits, limitsPath, requestsPath));
    errors.push(...validateHugePages(name, amount, at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(fieldErrors.forbidden(path, 'HugePages require cpu or memory'));
  return [...errors, ...validateClaimNames(claims ?? [], podClaims, path.child('claims'))];
}

const validateAmount = (name: string, amount: string, nameErrors: NameErrors, path: FieldPath) => [
  ...nameErrors(name, path),
  ...validateQuantityValue(name, amount, path),
  ...validateHugePages(name, amount, path),
];

function validateWithinLimit(
  name: string,
  amount: string,
  limits: ResourceList,
  limitsPath: FieldPath,
  path: FieldPath,
): FieldError[] {
  if (!Object.hasOwn(limits, name)) {
    return mayOvercommit(name)
      ? []
      : [fieldErrors.required(limitsPath, 'Limit must be set for non overcommitable resources')];
  }
  const limit = limits[name]!;
  const compared = compareQuantities(quantityOf(amount), quantityOf(limit));
  if (compared !== 0 && !mayOvercommit(name))
    return [fieldErrors.invalid(path, amount, `must be equal to ${name} limit of ${limit}`)];
  return compared > 0
    ? [fieldErrors.invalid(path, amount, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}

function validateHugePages(name: string, amount: string, path: FieldPath): FieldError[] {
  if (!isHugePages(name)) return [];
  const size = quantityOf(name.slice('hugepages-'.length));
  const { unscaled, scale } = quantityOf(amount);
  const bytes = scale >= 0 ? unscaled * 10n ** BigInt(scale) : unscaled / 10n ** BigInt(-scale);
  const page = size.scale >= 0 ? size.unscaled * 10n ** BigInt(size.scale) : 0n;
  if (page > 0n && bytes % page === 0n) return [];
  return [fieldErrors.invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

function validateClaimNames(
  claims: NonNullable<ResourceRequirements['claims']>,
  known: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { name = '', request = '' }] of claims.entries()) {
    const at = path.index(index);
    if (name === '') {
      errors.push(fieldErrors.required(at));
      continue;
    }
    const key = request === '' ? name : `${name}/${request}`;
    if (names.has(name)) errors.push(fieldErrors.duplicate(at, name));
    else {
      if (request !== '') errors.push(...validateLabelText(request, at.child('request')));
      if (names.has(key)) errors.push(fieldErrors.duplicate(at, key));
      else if (request === '')
        for (const other of names)
          if (other.startsWith(`${name}/`)) errors.push(fieldErrors.duplicate(at, name));
      names.add(key);
    }
    if (!known.has(name)) errors.push(unknownClaim(at, name, known));
  }
  return errors;
}

function unknownClaim(path: FieldPath, name: string, known: ReadonlySet<string>): FieldError {
  const which = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
  return {
    ...fieldErrors.notFound(path, name),
    detail: `must be one of the names in pod.spec.resourceClaims${which}`,
  };
}

/** The resources of the pod as a whole, and that its containers fit into them. */
export function validatePodResources(
  spec: PodSpec,
  claims: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows') return [fieldErrors.forbidden(path, 'may not be set for a windows pod')];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined)
    errors.push(
      fieldErrors.forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level'),
    );
  errors.push(...validateRequirements(resources, podNameErrors, claims, path));
  return [
    ...errors,
    ...validateSums(spec, resources, path),
    ...validateContainerLimits(spec, resources, path),
  ];
}

function validateSums(spec: PodSpec, { requests = {}, limits = {} }: ResourceRequirements, path: FieldPath) {
  const errors: FieldError[] = [];
  const exceeds = (
    what: string,
    sums: ResourceList,
    given: ResourceList,
    names: (name: string) => boolean,
  ) => {
    for (const [name, sum] of Object.entries(sums)) {
      if (!names(name) || !Object.hasOwn(given, name) || !isMore(sum, given[name]!)) continue;
      const why = `must be greater than or equal to aggregate container ${what} of ${sum}`;
      errors.push(fieldErrors.invalid(path.child(what).key(name), given[name]!, why));
    }
  };
  exceeds('requests', aggregated(spec, 'requests'), requests, () => true);
  exceeds('limits', aggregated(spec, 'limits'), limits, isHugePages);
  return errors;
}

function validateContainerLimits(
  { containers }: PodSpec,
  { limits = {} }: ResourceRequirements,
  path: FieldPath,
): FieldError[] {
  return (containers ?? []).flatMap(({ resources }, index) =>
    Object.entries(resources.limits ?? {}).flatMap(([name, amount]) =>
      Object.hasOwn(limits, name) && isMore(amount, limits[name]!)
        ? [
            fieldErrors.invalid(
              path.child('containers').index(index).key(name).child('limits'),
              amount,
              `must be less than or equal to pod limits of ${limits[name]}`,
            ),
          ]
        : [],
    ),
  );
}
