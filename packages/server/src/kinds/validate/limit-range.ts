// Validation of limit ranges.
import { quantityAsFloat, validateQualifiedName } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { invalidFor } from './checks.ts';
import {
  type Amounts,
  amountOf,
  compareAmounts,
  isHugePages,
  isNativeResource,
  validateContainerResourceName,
  validateResourceName,
} from './quantities.ts';

interface LimitRangeItem {
  type: string;
  max?: Amounts;
  min?: Amounts;
  default?: Amounts;
  defaultRequest?: Amounts;
  maxLimitRequestRatio?: Amounts;
}

export interface LimitRange extends KubeObject {
  spec: { limits: LimitRangeItem[] | null };
}

const TYPES: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);
const POD_DEFAULTS = "may not be specified when `type` is 'Pod'";

export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const types = new Set<string>();
  return (spec.limits ?? []).flatMap((limit, index) => {
    const path = FieldPath.of('spec', 'limits').index(index);
    const errors = validateType(limit.type, path.child('type'));
    if (types.has(limit.type)) errors.push(fieldErrors.duplicate(path.child('type'), limit.type));
    types.add(limit.type);
    return [...errors, ...validateNames(limit, path), ...validateOrder(limit, path)];
  });
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const errors = invalidFor(path, type, validateQualifiedName(type));
  if (errors.length > 0) return errors;
  return type.includes('/') || TYPES.has(type)
    ? []
    : [fieldErrors.invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateNames(limit: LimitRangeItem, path: FieldPath): FieldError[] {
  const validateName =
    limit.type === 'Pod' || limit.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const named = (field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio') =>
    Object.keys(limit[field] ?? {}).flatMap((name) => validateName(name, path.child(field).key(name)));
  const forbidden = (field: 'default' | 'defaultRequest') =>
    Object.keys(limit[field] ?? {}).length > 0
      ? [fieldErrors.forbidden(path.child(field), POD_DEFAULTS)]
      : [];
  const defaults = limit.type === 'Pod' ? forbidden : named;
  const errors = [...named('max'), ...named('min'), ...defaults('default'), ...defaults('defaultRequest')];
  const hasStorage = [limit.min, limit.max].some((amounts) => Object.hasOwn(amounts ?? {}, 'storage'));
  if (limit.type === 'PersistentVolumeClaim' && !hasStorage)
    errors.push(
      fieldErrors.required(
        path.child('limits'),
        'either minimum or maximum storage value is required, but neither was provided',
      ),
    );
  return [...errors, ...named('maxLimitRequestRatio')];
}

/** Of two amounts, the first must not be more than the second. */
function validateOrder(limit: LimitRangeItem, path: FieldPath): FieldError[] {
  const isPod = limit.type === 'Pod';
  const all = {
    ...limit.max,
    ...limit.min,
    ...(isPod ? {} : limit.default),
    ...(isPod ? {} : limit.defaultRequest),
    ...limit.maxLimitRequestRatio,
  };
  return Object.keys(all)
    .sort()
    .flatMap((name) => validateAmountsOf(name, limit, isPod, path));
}

function validateAmountsOf(
  name: string,
  limit: LimitRangeItem,
  isPod: boolean,
  path: FieldPath,
): FieldError[] {
  const of = (amounts: Amounts | undefined): string | undefined =>
    Object.hasOwn(amounts ?? {}, name) ? amounts![name] : undefined;
  const [min, max, ratio] = [of(limit.min), of(limit.max), of(limit.maxLimitRequestRatio)];
  const [standard, request] = isPod ? [] : [of(limit.default), of(limit.defaultRequest)];
  const errors: FieldError[] = [];
  const check = (
    [low, lowName]: readonly [string | undefined, string],
    [high, highName]: readonly [string | undefined, string],
    field: string,
    shown: string | undefined,
  ): void => {
    if (low !== undefined && high !== undefined && compareAmounts(low, high) > 0)
      errors.push(
        fieldErrors.invalid(
          path.child(field).key(name),
          shown!,
          `${lowName} value ${low} is greater than ${highName} value ${high}`,
        ),
      );
  };
  check([min, 'min'], [max, 'max'], 'min', min);
  check([min, 'min'], [request, 'default request'], 'defaultRequest', request);
  check([request, 'default request'], [max, 'max'], 'defaultRequest', request);
  check([request, 'default request'], [standard, 'default limit'], 'defaultRequest', request);
  check([min, 'min'], [standard, 'default'], 'default', min);
  check([standard, 'default'], [max, 'max'], 'default', max);
  if (ratio !== undefined)
    errors.push(...validateRatio(ratio, min, max, path.child('maxLimitRequestRatio').key(name)));
  const mayOvercommit = isNativeResource(name) && !isHugePages(name);
  if (
    !mayOvercommit &&
    standard !== undefined &&
    request !== undefined &&
    compareAmounts(standard, request) !== 0
  )
    errors.push(
      fieldErrors.invalid(
        path.child('defaultRequest').key(name),
        request,
        `default value ${standard} must equal to defaultRequest value ${request} in ${name}`,
      ),
    );
  return errors;
}

function validateRatio(ratio: string, min: string | undefined, max: string | undefined, path: FieldPath) {
  const errors: FieldError[] = [];
  if (compareAmounts(ratio, '1') < 0)
    errors.push(fieldErrors.invalid(path, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const most = quantityAsFloat(amountOf(max)) / quantityAsFloat(amountOf(min));
  if (quantityAsFloat(amountOf(ratio)) > most)
    errors.push(
      fieldErrors.invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`),
    );
  return errors;
}
