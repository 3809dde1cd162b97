// Validation of what claims ask for: requests for devices, constraints and configuration. The expressions of
// selectors are compiled, but never run: that is for schedulers.
import { nameIsDnsSubdomain, validateDns1123Label, validateLabelValue } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonValue,
  validateLabelName,
} from '@instar/machinery';
import { compileDeviceSelector } from '@instar/schema';
import { invalidFor, validateDriverName, validateOneOf } from './checks.ts';

interface Selector {
  cel?: { expression: string };
}

interface DeviceToleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

interface ExactRequest {
  name?: string;
  deviceClassName: string;
  selectors?: Selector[];
  allocationMode?: string;
  count?: number;
  tolerations?: DeviceToleration[];
}

interface DeviceRequest {
  name: string;
  exactly?: ExactRequest;
  firstAvailable?: ExactRequest[];
}

export interface Configuration {
  requests?: string[];
  opaque?: { driver: string; parameters?: JsonValue };
}

export interface DeviceClaim {
  requests?: DeviceRequest[] | null;
  constraints?: { requests?: string[]; matchAttribute?: string; distinctAttribute?: string }[];
  config?: Configuration[];
}

const MAX_ITEMS = 32;
const MAX_CHOICES = 8;
const MAX_EXPRESSION_BYTES = 10 * 1024;
const MAX_COST = 1_000_000;
const ONE_OF = 'exactly one of `exactly` or `firstAvailable` is required';

/** Each item, unless there are too many; then what is there twice, by its key. */
export function validateItems<T>(
  items: readonly T[],
  max: number,
  path: FieldPath,
  validate: (item: T, path: FieldPath) => FieldError[],
  keyOf?: (item: T) => string,
): FieldError[] {
  if (items.length > max) return [fieldErrors.tooMany(path, items.length, max)];
  const errors = items.flatMap((item, index) => validate(item, path.index(index)));
  if (keyOf === undefined) return errors;
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(fieldErrors.duplicate(path.index(index), key));
    seen.add(key);
  });
  return errors;
}

export function validateDeviceClaim(claim: DeviceClaim, path: FieldPath): FieldError[] {
  const names = requestNames(claim);
  return [
    ...validateItems(
      claim.requests ?? [],
      MAX_ITEMS,
      path.child('requests'),
      validateRequest,
      ({ name }) => name,
    ),
    ...validateItems(claim.constraints ?? [], MAX_ITEMS, path.child('constraints'), (each, at) => [
      ...validateReferences(each.requests ?? [], at.child('requests'), names),
      ...validateAttributeOf(each, at),
    ]),
    ...validateItems(claim.config ?? [], MAX_ITEMS, path.child('config'), (each, at) => [
      ...validateReferences(each.requests ?? [], at.child('requests'), names),
      ...validateConfiguration(each, at),
    ]),
  ];
}

/** Requests by name, and the choices of a request as request/choice. */
export function requestNames({ requests }: DeviceClaim): ReadonlySet<string> {
  return new Set(
    (requests ?? []).flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((choice) => `${name}/${choice.name}`),
    ]),
  );
}

const NO_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const validateReferences = (names: readonly string[], path: FieldPath, known: ReadonlySet<string>) =>
  validateItems(
    names,
    MAX_ITEMS,
    path,
    (name, at) => (known.has(name) ? [] : [fieldErrors.invalid(at, name, NO_REQUEST)]),
    (name) => name,
  );

function validateRequestName(name: string, path: FieldPath): FieldError[] {
  return name === '' ? [fieldErrors.required(path)] : invalidFor(path, name, validateDns1123Label(name));
}

function validateRequest(
  { name, exactly, firstAvailable = [] }: DeviceRequest,
  path: FieldPath,
): FieldError[] {
  const errors = validateRequestName(name, path.child('name'));
  if (exactly === undefined && firstAvailable.length === 0)
    return [...errors, fieldErrors.required(path, ONE_OF)];
  if (exactly !== undefined && firstAvailable.length > 0)
    return [...errors, fieldErrors.invalid(path, null, `${ONE_OF}, but multiple fields are set`)];
  if (exactly !== undefined) return [...errors, ...validateExact(exactly, path.child('exactly'))];
  return [
    ...errors,
    ...validateItems(
      firstAvailable,
      MAX_CHOICES,
      path.child('firstAvailable'),
      (choice, at) => [
        ...validateRequestName(choice.name ?? '', at.child('name')),
        ...validateExact(choice, at),
      ],
      (choice) => choice.name ?? '',
    ),
  ];
}

function validateExact(request: ExactRequest, path: FieldPath): FieldError[] {
  const { deviceClassName: name, allocationMode: mode = '', count = 0 } = request;
  const at = path.child('deviceClassName');
  return [
    ...(name === '' ? [fieldErrors.required(at)] : invalidFor(at, name, nameIsDnsSubdomain(name, false))),
    ...validateSelectors(request.selectors ?? [], path.child('selectors')),
    ...validateMode(mode, count, path),
    ...(request.tolerations ?? []).flatMap((each, index) =>
      validateDeviceToleration(each, path.child('tolerations').index(index)),
    ),
  ];
}

function validateMode(mode: string, count: number, path: FieldPath): FieldError[] {
  const at = path.child('count');
  if (mode === 'All')
    return count === 0
      ? []
      : [fieldErrors.invalid(at, count, "must not be specified when allocationMode is 'All'")];
  if (mode === 'ExactCount')
    return count > 0 ? [] : [fieldErrors.invalid(at, count, 'must be greater than zero')];
  return [fieldErrors.notSupported(path.child('allocationMode'), mode, ['All', 'ExactCount'])];
}

export const validateSelectors = (selectors: readonly Selector[], path: FieldPath): FieldError[] =>
  validateItems(selectors, MAX_ITEMS, path, ({ cel }, at) => {
    if (cel === undefined) return [fieldErrors.required(at.child('cel'))];
    const path = at.child('cel', 'expression');
    if (Buffer.byteLength(cel.expression) > MAX_EXPRESSION_BYTES)
      return [fieldErrors.tooLong(path, MAX_EXPRESSION_BYTES)];
    const { error, maxCost } = compileDeviceSelector(cel.expression);
    if (error !== undefined) return [fieldErrors.invalid(path, cel.expression, error)];
    return maxCost > MAX_COST ? [fieldErrors.forbidden(path, 'too complex, exceeds cost limit')] : [];
  });

function validateDeviceToleration(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  path: FieldPath,
): FieldError[] {
  const errors = key === '' ? [] : validateLabelName(key, path.child('key'));
  if (operator === 'Exists') {
    if (value !== '')
      errors.push(fieldErrors.invalid(path.child('value'), value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal')
    errors.push(...invalidFor(path.child('value'), value, validateLabelValue(value)));
  else if (operator === '') errors.push(fieldErrors.required(path.child('operator')));
  else errors.push(...validateOneOf(operator, ['Equal', 'Exists'], path.child('operator')));
  return effect === ''
    ? errors
    : [...errors, ...validateOneOf(effect, ['NoExecute', 'NoSchedule', 'None'], path.child('effect'))];
}

function validateAttributeOf(
  {
    matchAttribute: match,
    distinctAttribute: distinct,
  }: { matchAttribute?: string; distinctAttribute?: string },
  path: FieldPath,
): FieldError[] {
  if (match !== undefined) return validateQualifiedAttribute(match, path.child('matchAttribute'));
  if (distinct !== undefined) return validateQualifiedAttribute(distinct, path.child('distinctAttribute'));
  return [
    fieldErrors.required(
      path,
      'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
    ),
  ];
}

function validateQualifiedAttribute(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldErrors.required(path, 'name required')];
  return name.includes('/') ? [] : [fieldErrors.invalid(path, name, 'must include a domain')];
}

export function validateConfiguration({ opaque }: Configuration, path: FieldPath): FieldError[] {
  if (opaque === undefined) return [fieldErrors.required(path.child('opaque'))];
  const at = path.child('opaque');
  return [
    ...validateDriverName(opaque.driver, at.child('driver')),
    ...(opaque.parameters == null ? [fieldErrors.required(at.child('parameters'))] : []),
  ];
}
