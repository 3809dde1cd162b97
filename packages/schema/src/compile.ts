// Compiles a schema: the entry point to everything else in this package.
import type { JsonObject, JsonShape } from '@instar/machinery';
import { applyDefaults } from './default/apply.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { coerceEmbedded, embeddedFault } from './objectmeta/coerce.ts';
import { prune } from './prune/prune.ts';
import type { CompiledSchema, PruneOptions } from './schema.ts';
import { type Normalization, resourceShape } from './shape/node-shape.ts';
import { firstTypeMismatch } from './structural/type-mismatch.ts';
import { SchemaNode } from './tree/schema-node.ts';
import { HAS_EMBEDDED, HAS_RULE, surveyOf } from './tree/survey.ts';
import { validateObject } from './validate-object.ts';

export interface CompileOptions {
  /**
   * The schema is that of a whole resource: apiVersion, kind and metadata are always known. Default: true.
   */
  readonly resourceRoot?: boolean;
  /** False: x-kubernetes-validations are ignored. */
  readonly rules?: boolean;
}

/** Cheap: the schema is walked once, and its nodes are compiled when objects first have values for them. */
export function compileSchema(source: JSONSchemaProps, options: CompileOptions = {}): CompiledSchema {
  const root = new SchemaNode(source, { survey: surveyOf(source), forDefaults: false });
  const isResource = options.resourceRoot !== false;
  const withRules = options.rules !== false && (root.facets & HAS_RULE) !== 0;
  const shapes = new Map<Normalization, JsonShape | undefined>();
  const shape = (normalization: Normalization): JsonShape | undefined => {
    if (!shapes.has(normalization))
      shapes.set(normalization, isResource ? resourceShape(root, normalization) : undefined);
    return shapes.get(normalization);
  };
  return {
    source,
    root,
    prune: (object, options) => pruneObject(object, root, isResource, options),
    embeddedFault: (object) => embeddedFault(object, root),
    applyDefaults: (object) => applyDefaults(object, root),
    validate: (object, options = {}) => validateObject(object, { root, isResource, withRules }, options),
    shape,
    firstTypeMismatch: (object) => firstTypeMismatch(object, root),
  };
}

function pruneObject(
  object: JsonObject,
  root: SchemaNode,
  isResource: boolean,
  options: PruneOptions = {},
): string[] {
  const { onChange, dropMalformed = false, keepsNulls = false } = options;
  const removed = prune(object, root, isResource, keepsNulls);
  if (removed !== undefined) onChange?.();
  if ((root.facets & HAS_EMBEDDED) === 0) return removed ?? [];
  return [
    ...(removed ?? []),
    ...coerceEmbedded(object, root, dropMalformed ? (onChange ?? ignore) : undefined),
  ];
}

const ignore = (): void => {};
