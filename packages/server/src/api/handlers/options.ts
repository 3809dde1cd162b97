// The query parameters of each verb, read as kube-apiserver reads them: what does not parse is a 400, what is
// invalid is a 422.

import { quoteGo } from '@instar/go';
import {
  apiErrors,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  validateFieldManager,
} from '@instar/machinery';
import type { OperationOptions } from '../../objects/write/write-request.ts';

const META_GROUP = 'meta.k8s.io';

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions extends OperationOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

/** As upstream: every other value is true. */
export function readBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : !(value.toLowerCase() === 'false' || value === '0');
}

/** A parameter that is present must be a number: an empty one is not. */
export function readInt64(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : parseInt64(value);
}

const MAX_INT64 = 2n ** 63n - 1n;

function parseInt64(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quoteGo(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n)
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quoteGo(text)}: value out of range`);
  return Number(value);
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** For our own parameters, which need not be as lenient as upstream's. */
export function parseBool(name: string, text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw apiErrors.badRequest(`${name}: strconv.ParseBool: parsing ${quoteGo(text)}: invalid syntax`);
}

export function readListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch,
    allowWatchBookmarks: readBoolean(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: readBoolean(query, 'sendInitialEvents'),
    timeoutSeconds: readInt64(query, 'timeoutSeconds'),
    limit: readInt64(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
  };
  refuseInvalid('ListOptions', watch ? watchOptionErrors(options) : listOptionErrors(options));
  return options;
}

const MATCH = 'resourceVersionMatch';

function listOptionErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '')
      errors.push(fieldErrors.forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    if (options.continue !== '')
      errors.push(fieldErrors.forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(fieldErrors.notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(fieldErrors.forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (options.sendInitialEvents !== undefined)
    errors.push(fieldErrors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

/** Without a resourceVersion, upstream requests the initial events itself before it validates. */
function watchOptionErrors(given: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const isDefaulted =
    given.sendInitialEvents === undefined &&
    given.resourceVersionMatch === '' &&
    (given.resourceVersion === '' || given.resourceVersion === '0');
  const options = isDefaulted
    ? { ...given, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
    : given;
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(fieldErrors.forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match === '') return errors;
  if (options.sendInitialEvents === undefined) {
    errors.push(
      fieldErrors.forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`),
    );
  }
  if (match !== 'NotOlderThan') errors.push(fieldErrors.notSupported(MATCH, match, ['NotOlderThan']));
  if (options.continue !== '')
    errors.push(fieldErrors.forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
  return errors;
}

type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export function readWriteOptions(query: URLSearchParams, kind: WriteKind, isApply = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = readBoolean(query, 'force');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') errors.push(...patchOptionErrors(fieldManager, force, isApply));
  errors.push(
    ...validateFieldManager(fieldManager, FieldPath.of('fieldManager')),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(fieldValidation),
  );
  refuseInvalid(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    force: force ?? false,
    given: givenOptions(dryRun, fieldManager, fieldValidation),
  };
}

function givenOptions(dryRun: string[], fieldManager: string, fieldValidation: string): JsonObject {
  const given: JsonObject = {};
  if (dryRun.length > 0) given['dryRun'] = dryRun;
  if (fieldManager !== '') given['fieldManager'] = fieldManager;
  if (fieldValidation !== '') given['fieldValidation'] = fieldValidation;
  return given;
}

function patchOptionErrors(fieldManager: string, force: boolean | undefined, isApply: boolean): FieldError[] {
  if (isApply)
    return fieldManager === '' ? [fieldErrors.required('fieldManager', 'is required for apply patch')] : [];
  return force === undefined
    ? []
    : [fieldErrors.forbidden('force', 'may not be specified for non-apply patch')];
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All')
    ? []
    : [fieldErrors.notSupported('dryRun', [...dryRun], ['All'])];
}

function fieldValidationErrors(value: string): FieldError[] {
  const known = ['', 'Ignore', 'Strict', 'Warn'];
  return known.includes(value) ? [] : [fieldErrors.notSupported('fieldValidation', value, known)];
}

export function refuseInvalid(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiErrors.invalid({ group: META_GROUP, kind }, '', errors);
}

/** The resourceVersion of a read; 0 if not given. `wrap` makes the error, which differs by verb upstream. */
export function parseResourceVersion(text: string, wrap: (message: string) => Error): number {
  if (text === '') return 0;
  if (!/^\d+$/.test(text))
    throw wrap(
      `resourceVersion: Invalid value: ${quoteGo(text)}: strconv.ParseUint: parsing ${quoteGo(text)}: invalid syntax`,
    );
  if (BigInt(text) >= 2n ** 64n)
    throw wrap(
      `resourceVersion: Invalid value: ${quoteGo(text)}: strconv.ParseUint: parsing ${quoteGo(text)}: value out of range`,
    );
  return Number(text);
}

/** Upstream answers 500 without a reason if a plain error reaches the client. */
export function errorWithoutReason(message: string) {
  return apiErrors.raw({ code: 500, message });
}
