// Whether the defaults of a schema are valid by that same schema, have no fields that it would prune, and leave metadata in order.
import { aggregateMessage, deepCopy, deepEqual, type FieldError, FieldPath, fieldErrorMessage, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { embeddedFault, resourceFault } from '../objectmeta/coerce.ts';
import { validateEmbedded, validateResource } from '../objectmeta/validate.ts';
import { pruneValue } from '../prune/prune.ts';
import { SchemaNode } from '../structural/schema-node.ts';
import { HAS_DEFAULT, surveyOf } from '../structural/survey.ts';
import { Trail } from '../trail.ts';
import { validateValues } from '../validate/values.ts';
import { type Step, surroundedBy } from './surrounding.ts';

export interface DefaultCheckOptions {
  /** Refuses defaults with fields that would be pruned: v1 does, and v1beta1 did not always. */
  readonly requirePruned: boolean;
}

interface Place {
  readonly path: FieldPath;
  /** The resource that the node is part of, and the way from there. */
  readonly resource: SchemaNode;
  readonly steps: readonly Step[];
  readonly insideMeta: boolean;
}

/** Expects a structural schema: `structuralViolations` found nothing. */
export function checkDefaults(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: DefaultCheckOptions = { requirePruned: true },
): FieldError[] {
  const root = new SchemaNode(schema, { survey: surveyOf(schema), forDefaults: true });
  const errors: FieldError[] = [];
  checkNode(root, { path, resource: root, steps: [], insideMeta: false }, options, errors);
  return errors;
}

function checkNode(node: SchemaNode, outer: Place, options: DefaultCheckOptions, errors: FieldError[]): void {
  if ((node.facets & HAS_DEFAULT) === 0) return;
  const place = node.embeddedResource ? { ...outer, resource: node, steps: [], insideMeta: false } : outer;
  if (node.default !== undefined) errors.push(...(place.insideMeta ? checkInMeta(node, place) : checkPlain(node, place, options)));
  const { items, props } = node;
  const { path, steps, insideMeta } = place;
  if (items !== undefined) checkNode(items, { ...place, path: path.child('items'), steps: [...steps, 0] }, options, errors);
  for (const name in props.properties) {
    const entersMeta = node === place.resource && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
    const inner = { path: path.child('properties').key(name), steps: [...steps, name], insideMeta: insideMeta || entersMeta };
    checkNode(node.property(name)!, { ...place, ...inner }, options, errors);
  }
}

function checkPlain(node: SchemaNode, place: Place, { requirePruned }: DefaultCheckOptions): FieldError[] {
  const path = place.path.child('default');
  const value = node.default!;
  const errors: FieldError[] = [];
  if (requirePruned && !isPruned(node)) errors.push(fieldErrors.invalid(path, value, 'must not have unknown fields'));
  const fault = embeddedFault(value, node, path);
  if (fault !== undefined) return [...errors, fault];
  const invalid = validateEmbedded(value, node, path);
  return [...errors, ...(invalid.length > 0 ? invalid : validateValues(value, node, { path }))];
}

function isPruned(node: SchemaNode): boolean {
  const pruned = deepCopy(node.default!);
  pruneValue(pruned, node);
  return deepEqual(pruned, node.default);
}

/** A default within metadata is judged by the whole metadata that it makes. */
function checkInMeta(node: SchemaNode, { path, resource, steps }: Place): FieldError[] {
  const value = node.default!;
  const object = surroundedBy(steps, deepCopy(value));
  const fault = resourceFault(object, new Trail()) ?? embeddedFault(object, resource);
  const problem = fault === undefined ? metadataProblem([...validateResource(object, FieldPath.root)]) : fieldErrorMessage(fault);
  const place = path.child('default');
  if (problem === undefined) return validateValues(value, node, { path: place });
  return [fieldErrors.invalid(place, value, `must result in valid metadata: ${problem}`)];
}

function metadataProblem(errors: FieldError[]): string | undefined {
  return errors.length === 0 ? undefined : aggregateMessage(errors);
}
