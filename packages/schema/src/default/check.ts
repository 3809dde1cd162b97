// Checks that the defaults of a schema are valid by that schema, have no fields that it would prune, and
// result in valid metadata.
import { runtimeCostBudget } from '@instar/cel/kubernetes';
import {
  aggregateMessage,
  deepCopy,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
} from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { embeddedFault, resourceFault } from '../objectmeta/coerce.ts';
import { validateEmbedded, validateResource } from '../objectmeta/validate.ts';
import { pruneValue } from '../prune/prune.ts';
import { validateRules } from '../rules/validate.ts';
import { Trail } from '../trail.ts';
import { SchemaNode } from '../tree/schema-node.ts';
import { HAS_DEFAULT, HAS_RULE, surveyOf } from '../tree/survey.ts';
import { validateValues } from '../validate/values.ts';
import { type PathStep, surroundedBy } from './surrounding.ts';

export interface DefaultCheckOptions {
  /** Refuse defaults with fields that would be pruned: v1 does, v1beta1 did not always. */
  readonly requirePruned: boolean;
}

interface NodeLocation {
  readonly path: FieldPath;
  /** The resource that the node is part of, and the path from there. */
  readonly resource: SchemaNode;
  readonly steps: readonly PathStep[];
  readonly insideMeta: boolean;
}

/** Expects a structural schema: `structuralViolations` found nothing. */
export function checkDefaults(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: DefaultCheckOptions = { requirePruned: true },
): FieldError[] {
  const root = new SchemaNode(schema, { survey: surveyOf(schema), forDefaults: true });
  const check = new DefaultCheck(options);
  check.node(root, { path, resource: root, steps: [], insideMeta: false });
  return check.errors;
}

class DefaultCheck {
  readonly errors: FieldError[] = [];
  readonly #options: DefaultCheckOptions;
  /** What is left of the cost budget for rules on defaults; negative once they were aborted. */
  #budget = runtimeCostBudget;

  constructor(options: DefaultCheckOptions) {
    this.#options = options;
  }

  node(node: SchemaNode, outer: NodeLocation): void {
    if ((node.facets & HAS_DEFAULT) === 0 || this.#budget < 0) return;
    const location = node.embeddedResource
      ? { ...outer, resource: node, steps: [], insideMeta: false }
      : outer;
    if (node.default !== undefined) this.#default(node, location);
    const { items, props } = node;
    const { path, steps, insideMeta } = location;
    if (items !== undefined)
      this.node(items, { ...location, path: path.child('items'), steps: [...steps, 0] });
    for (const name in props.properties) {
      const entersMeta =
        node === location.resource && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
      const inner = {
        path: path.child('properties').key(name),
        steps: [...steps, name],
        insideMeta: insideMeta || entersMeta,
      };
      this.node(node.property(name)!, { ...location, ...inner });
    }
  }

  #default(node: SchemaNode, location: NodeLocation): void {
    const path = location.path.child('default');
    const value = node.default!;
    if (!location.insideMeta && this.#options.requirePruned && !isPruned(node)) {
      this.errors.push(fieldErrors.invalid(path, value, 'must not have unknown fields'));
    }
    const inMetadata = location.insideMeta
      ? problemsInMetadata(node, location)
      : problemsOfEmbedded(node, path);
    const problems = inMetadata.length > 0 ? inMetadata : validateValues(value, node, { path });
    this.errors.push(...(problems.length > 0 ? problems : this.#brokenRules(node, location)));
  }

  /** A default must be valid both as an unchanged value and as a new one. */
  #brokenRules(node: SchemaNode, location: NodeLocation): FieldError[] {
    if ((node.facets & HAS_RULE) === 0) return [];
    const value = node.default!;
    const options = {
      path: location.path.child('default'),
      budget: this.#budget,
      isResource: node === location.resource,
    };
    const unchanged = validateRules(value, node, { ...options, old: value });
    if (unchanged.errors.length > 0) {
      this.#budget = unchanged.budget;
      return unchanged.errors;
    }
    const created = validateRules(value, node, options);
    this.#budget = Math.min(unchanged.budget, created.budget);
    return created.errors;
  }
}

function problemsOfEmbedded(node: SchemaNode, path: FieldPath): FieldError[] {
  const fault = embeddedFault(node.default!, node, path);
  return fault === undefined ? validateEmbedded(node.default!, node, path) : [fault];
}

function isPruned(node: SchemaNode): boolean {
  const pruned = deepCopy(node.default!);
  pruneValue(pruned, node);
  return deepEqual(pruned, node.default);
}

/** A default within metadata is validated as part of the metadata that it results in. */
function problemsInMetadata(node: SchemaNode, { path, resource, steps }: NodeLocation): FieldError[] {
  const object = surroundedBy(steps, deepCopy(node.default!));
  const fault = resourceFault(object, new Trail()) ?? embeddedFault(object, resource);
  const errors = fault === undefined ? validateResource(object, FieldPath.root) : [fault];
  if (errors.length === 0) return [];
  return [
    fieldErrors.invalid(
      path.child('default'),
      node.default!,
      `must result in valid metadata: ${aggregateMessage(errors)}`,
    ),
  ];
}
