// Amounts of resources and the names of resources, as nodes, volumes, quotas and limits have them. Amounts
// are texts that were decoded, and so can be parsed.
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  printQuantity,
  type Quantity,
  subtractQuantities,
  validateQualifiedName,
} from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export type Amounts = Record<string, string>;

const ZERO = parseQuantity('0') as Quantity;
const NOT_POSITIVE = 'must be greater than zero';
const NEGATIVE = 'must be greater than or equal to 0';
const NOT_AN_INTEGER = 'must be an integer';
/** The domain of resources that are Kubernetes' own. */
const NATIVE_DOMAIN = 'kubernetes.io/';
const HUGE_PAGES = 'hugepages-';
const INTEGER_RESOURCES: ReadonlySet<string> = new Set([
  'services.nodeports',
  'services.loadbalancers',
  'persistentvolumeclaims',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
]);

export function amountOf(text: string | undefined): Quantity {
  const parsed = parseQuantity(text ?? '0');
  return typeof parsed === 'string' ? ZERO : parsed;
}

export const compareAmounts = (a: string | undefined, b: string | undefined): number =>
  compareQuantities(amountOf(a), amountOf(b));

/** Rounded up to an integer, as upstream's Value. */
function wholeAmount(text: string): bigint {
  const { unscaled, scale } = amountOf(text);
  if (scale >= 0) return unscaled * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  const rounded = unscaled / divisor;
  return unscaled > 0n && unscaled % divisor !== 0n ? rounded + 1n : rounded;
}

export const hasFraction = (text: string): boolean => {
  const { unscaled, scale } = amountOf(text);
  return scale < 0 && unscaled % 10n ** BigInt(-scale) !== 0n;
};

export const validatePositiveAmount = (text: string, path: FieldPath): FieldError[] =>
  compareAmounts(text, '0') <= 0 ? [fieldErrors.invalid(path, text, NOT_POSITIVE)] : [];

export const validateNonnegativeAmount = (text: string, path: FieldPath): FieldError[] =>
  compareAmounts(text, '0') < 0 ? [fieldErrors.invalid(path, text, NEGATIVE)] : [];

export function validateBasicAmount(text: string, path: FieldPath): FieldError[] {
  const whole = wholeAmount(text);
  return whole < 0n ? [fieldErrors.invalid(path, whole, 'must be a valid resource quantity')] : [];
}

/** Not negative, and an integer where parts make no sense. */
export function validateResourceAmount(name: string, text: string, path: FieldPath): FieldError[] {
  const errors = validateNonnegativeAmount(text, path);
  if (isIntegerResource(name) && hasFraction(text))
    errors.push(fieldErrors.invalid(path, text, NOT_AN_INTEGER));
  return errors;
}

const isIntegerResource = (name: string): boolean => INTEGER_RESOURCES.has(name) || isExtendedResource(name);

export const isNativeResource = (name: string): boolean =>
  !name.includes('/') || name.includes(NATIVE_DOMAIN);

export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

/** A resource of others than Kubernetes, which cannot be overcommitted. */
function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

const STANDARD_RESOURCES: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
  'storage',
  'requests.storage',
]);

const isRequestOfHugePages = (name: string): boolean => name.startsWith(`requests.${HUGE_PAGES}`);

const isStandardResource = (name: string): boolean =>
  STANDARD_RESOURCES.has(name) || isRequestOfHugePages(name) || isHugePages(name);

export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(name).map((reason) => fieldErrors.invalid(path, name, reason));
  if (errors.length > 0) return errors;
  if (!name.includes('/') && !isStandardResource(name))
    return [fieldErrors.invalid(path, name, 'must be a standard resource type or fully qualified')];
  return [];
}

/** The sum, in the format of the first amount that is not zero. */
export function addAmounts(a: string, b: string): string {
  const [left, right] = [amountOf(a), amountOf(b)];
  return printAmount(addQuantities(left, right), (left.unscaled === 0n ? right : left).format);
}

/** The difference, never less than nothing. */
export function subtractAmounts(a: string, b: string): string {
  return compareAmounts(a, b) <= 0
    ? '0'
    : printAmount(subtractQuantities(amountOf(a), amountOf(b)), amountOf(a).format);
}

const printAmount = (sum: Quantity, format: Quantity['format']): string => printQuantity({ ...sum, format });

const CONTAINER_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** A resource that containers can have. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/'))
    return CONTAINER_RESOURCES.has(name) || isHugePages(name)
      ? errors
      : [...errors, fieldErrors.invalid(path, name, 'must be a standard resource for containers')];
  return isNativeResource(name) || isExtendedResource(name)
    ? errors
    : [...errors, fieldErrors.invalid(path, name, "doesn't follow extended resource name standard")];
}
