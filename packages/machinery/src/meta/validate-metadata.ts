// Checks on the parts of metadata: labels, annotations, owners, finalizers, managers. In upstream's order and
// words.

import { isPrintable, quoteGo, utf8Length, validateLabelValue, validateQualifiedName } from '@instar/go';
import { type FieldError, fieldErrors } from '../field/error.ts';
import type { FieldPath } from '../field/path.ts';
import { gvkOf, printGvk } from '../gvk.ts';
import { encodeJson } from '../json/encode.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { ManagedFieldsEntry, OwnerReference } from '../object.ts';

const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** What is invalid in the name of a label. */
export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return validateQualifiedName(name).map((fault) => fieldErrors.invalid(path, name, fault));
}

/** What is invalid in labels: their names and values. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...validateLabelName(key, path));
    errors.push(...validateLabelValue(value).map((fault) => fieldErrors.invalid(path, value, fault)));
  }
  return errors;
}

/** Keys are case-insensitive, so that "Example.com/Key" is valid. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(
      ...validateQualifiedName(key.toLowerCase()).map((fault) => fieldErrors.invalid(path, key, fault)),
    );
    bytes += utf8Length(key) + utf8Length(value);
  }
  if (bytes > MAX_ANNOTATIONS_BYTES) errors.push(fieldErrors.tooLong(path, MAX_ANNOTATIONS_BYTES));
  return errors;
}

export function validateOwnerReferences(
  owners: readonly OwnerReference[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners ?? []) {
    errors.push(...validateOwnerReference(owner, path));
    if (owner.controller !== true) continue;
    const name = `${owner.kind ?? ''}/${owner.name ?? ''}`;
    if (controller === undefined) controller = name;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(printedAsIs(fieldErrors.invalid(path, owners!.map(printedOwner), detail)));
    }
  }
  return errors;
}

/** The path has no index, as in the answers of v1.36. */
function validateOwnerReference(owner: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
  const gvk = gvkOf(apiVersion, kind);
  if (gvk.version === '')
    errors.push(fieldErrors.invalid(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(fieldErrors.invalid(path.child('kind'), kind, 'must not be empty'));
  if (name === '') errors.push(fieldErrors.invalid(path.child('name'), name, 'must not be empty'));
  if (uid === '') errors.push(fieldErrors.invalid(path.child('uid'), uid, 'must not be empty'));
  // Events are too short-lived to be owners.
  if (gvk.group === '' && gvk.version === 'v1' && kind === 'Event') {
    errors.push(
      printedAsIs(
        fieldErrors.invalid(path, printedOwner(owner), `${printGvk(gvk)} is disallowed from being an owner`),
      ),
    );
  }
  return errors;
}

function printedAsIs(error: FieldError): FieldError {
  return { ...error, valueText: encodeJson(error.value) };
}

/** With the fields in the order of Go's struct. */
function printedOwner({
  apiVersion = '',
  kind = '',
  name = '',
  uid = '',
  controller,
  blockOwnerDeletion,
}: OwnerReference): JsonObject {
  const printed: JsonObject = { apiVersion, kind, name, uid };
  if (controller !== undefined) printed['controller'] = controller;
  if (blockOwnerDeletion !== undefined) printed['blockOwnerDeletion'] = blockOwnerDeletion;
  return printed;
}

function validateFinalizerName(name: string, path: FieldPath): FieldError[] {
  return validateQualifiedName(name).map((fault) => fieldErrors.invalid(path, name, fault));
}

export function validateFinalizers(finalizers: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = finalizers.flatMap((name) => validateFinalizerName(name, path));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      fieldErrors.invalid(
        path,
        [...finalizers],
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    );
  }
  return errors;
}

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Warnings about finalizers that are accepted but should have a domain. */
export function finalizerWarnings(finalizers: readonly string[], path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const name of finalizers) {
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) continue;
    const how = name.includes('.') ? 'including a path (/) ' : '';
    warnings.push(
      `${path}: ${quoteGo(name)}: prefer a domain-qualified finalizer name ${how}to avoid accidental conflicts with other finalizer writers`,
    );
  }
  return warnings;
}

export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): FieldError[] {
  return (entries ?? []).flatMap((entry, index) => validateManagedFieldsEntry(entry, path.index(index)));
}

function validateManagedFieldsEntry(entry: ManagedFieldsEntry, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operation: string = entry.operation ?? '';
  if (operation !== 'Apply' && operation !== 'Update')
    errors.push(fieldErrors.invalid(path.child('operation'), operation, 'must be `Apply` or `Update`'));
  const fieldsType: string = entry.fieldsType ?? '';
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldErrors.invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(entry.manager ?? '', path.child('manager')));
  if (utf8Length(entry.subresource ?? '') > MAX_SUBRESOURCE_BYTES) {
    errors.push(fieldErrors.tooLong(path.child('subresource'), MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

/** Also for the fieldManager of a request. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (manager.length <= MAX_MANAGER_BYTES && PRINTABLE_ASCII.test(manager)) return [];
  const errors: FieldError[] = [];
  if (utf8Length(manager) > MAX_MANAGER_BYTES) errors.push(fieldErrors.tooLong(path, MAX_MANAGER_BYTES));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character))
      errors.push(
        fieldErrors.invalid(
          path,
          manager,
          `invalid character ${runeText(character)} (at position ${position})`,
        ),
      );
    position += utf8Length(character);
  }
  return errors;
}

/** Go's %#U of a character that is not printable. */
function runeText(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** An error if a field that must not change has changed. */
export function validateImmutableField(
  newValue: JsonValue | undefined,
  equal: boolean,
  path: FieldPath,
): FieldError[] {
  return equal ? [] : [fieldErrors.invalid(path, newValue ?? null, 'field is immutable')];
}

/** No finalizers may be added once deletion is in progress. */
export function validateNoNewFinalizers(
  added: readonly string[],
  known: readonly string[],
  path: FieldPath,
): FieldError[] {
  const extra = [...new Set(added)].filter((name) => !known.includes(name)).sort();
  if (extra.length === 0) return [];
  const list = `[]string{${extra.map(quoteGo).join(', ')}}`;
  return [
    fieldErrors.forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}
