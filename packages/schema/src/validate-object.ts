// Validates an object by its schema, in the order of kube-apiserver's strategy for custom resources: values,
// embedded resources, list types, rules. The caller validates apiVersion, kind and metadata of the object
// itself.
import {
  type FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
  withWholeFloats,
} from '@instar/machinery';
import { duplicateItems } from './listtype/unique.ts';
import { validateEmbedded } from './objectmeta/validate.ts';
import { Correlation } from './ratchet/correlation.ts';
import { blocksRules, rulesNotChecked } from './rules/blocking-errors.ts';
import { validateRules } from './rules/validate.ts';
import type { ValidateOptions } from './schema.ts';
import type { SchemaNode } from './tree/schema-node.ts';
import { HAS_EMBEDDED, HAS_LIST_TYPE } from './tree/survey.ts';
import { validateValues } from './validate/values.ts';

export interface ObjectSchema {
  readonly root: SchemaNode;
  readonly isResource: boolean;
  readonly withRules: boolean;
}

export function validateObject(
  given: JsonObject,
  schema: ObjectSchema,
  options: ValidateOptions,
): FieldError[] {
  const { root } = schema;
  const object = withWholeFloats(given, options.wholeFloats);
  const { old, ratchet, path, statusOnly } = options;
  const correlation = old === undefined || ratchet === false ? undefined : new Correlation(object, old, root);
  const errors = statusOnly
    ? validateStatus(object, root, correlation, path)
    : validateValues(object, root, { path, correlation });
  if (!statusOnly && (root.facets & HAS_EMBEDDED) !== 0) errors.push(...validateEmbedded(given, root, path));
  if ((root.facets & HAS_LIST_TYPE) !== 0) errors.push(...newDuplicates(object, old, root, path));
  if (!schema.withRules) return errors;
  const isBlocked = blocksRules(errors) || blocksRules(options.earlierErrors ?? []);
  const broken = isBlocked
    ? [rulesNotChecked(path ?? FieldPath.root)]
    : brokenRules(object, schema, options, correlation);
  return [...errors, ...broken];
}

function brokenRules(
  object: JsonObject,
  { root, isResource }: ObjectSchema,
  options: ValidateOptions,
  correlation?: Correlation,
): FieldError[] {
  const { old, path, deadline, warn } = options;
  return validateRules(object, root, { old, path, deadline, warn, correlation, isResource }).errors;
}

function validateStatus(
  object: JsonObject,
  root: SchemaNode,
  correlation?: Correlation,
  path = FieldPath.root,
): FieldError[] {
  const node = root.property('status');
  if (node === undefined || !Object.hasOwn(object, 'status')) return [];
  return validateValues(object['status']!, node, {
    path: path.child('status'),
    correlation: correlation?.field('status'),
  });
}

/** Duplicates are ratcheted: ignored if the old object had any, wherever they were. */
function newDuplicates(
  object: JsonObject,
  old: JsonValue | undefined,
  root: SchemaNode,
  path?: FieldPath,
): FieldError[] {
  const duplicates = duplicateItems(object, root, path);
  return duplicates.length > 0 && old !== undefined && duplicateItems(old, root).length > 0 ? [] : duplicates;
}
