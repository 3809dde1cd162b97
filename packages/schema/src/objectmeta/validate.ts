// Validates apiVersion, kind and metadata of embedded resources as upstream does on create; on updates too,
// without ratcheting.

import { nameIsPathSegment, validateDns1035Label } from '@instar/go';
import {
  apiVersionFault,
  decodeObjectMeta,
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  validateObjectMeta,
} from '@instar/machinery';
import { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { walkEmbedded } from './walk.ts';

export function validateEmbedded(value: JsonValue, root: SchemaNode, path?: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const trail = new Trail(path);
  walkEmbedded(value, root, trail, (resource) => errors.push(...validateResource(resource, trail.path())));
  return errors;
}

/** Validates apiVersion, kind and metadata of one resource. */
export function validateResource(resource: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!Object.hasOwn(resource, 'apiVersion')) errors.push(fieldErrors.required(path.child('apiVersion')));
  if (!Object.hasOwn(resource, 'kind')) errors.push(fieldErrors.required(path.child('kind')));
  for (const name in resource) {
    const value = resource[name]!;
    if (name === 'apiVersion') errors.push(...validateText(value, path.child(name), apiVersionProblem));
    else if (name === 'kind') errors.push(...validateText(value, path.child(name), kindProblem));
    else if (name === 'metadata') errors.push(...validateMetadata(value, path.child(name)));
  }
  return errors;
}

function validateText(
  value: JsonValue,
  path: FieldPath,
  problemOf: (text: string) => string | undefined,
): FieldError[] {
  if (typeof value !== 'string') return [fieldErrors.invalid(path, value, 'must be a string')];
  const problem = value === '' ? 'must not be empty' : problemOf(value);
  return problem === undefined ? [] : [fieldErrors.invalid(path, value, problem)];
}

function apiVersionProblem(apiVersion: string): string | undefined {
  return parseApiVersion(apiVersion) === undefined ? apiVersionFault(apiVersion) : undefined;
}

function kindProblem(kind: string): string | undefined {
  const problems = validateDns1035Label(kind.toLowerCase());
  return problems.length === 0
    ? undefined
    : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}

function validateMetadata(value: JsonValue, path: FieldPath): FieldError[] {
  const decoded = decodeObjectMeta(value);
  if ('fault' in decoded) return [fieldErrors.invalid(path, value, decoded.fault)];
  // A template need not have a name.
  const meta = { ...decoded.meta, name: decoded.meta.name ?? 'fakename' };
  return validateObjectMeta(meta, (meta.namespace ?? '') !== '', nameIsPathSegment, path);
}
