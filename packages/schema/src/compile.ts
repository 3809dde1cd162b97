// Makes a CompiledSchema: the one entry to everything else in this package.
import type { JsonObject } from '@instar/machinery';
import { applyDefaults } from './default/apply.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { coerceEmbedded, embeddedFault } from './objectmeta/coerce.ts';
import { prune } from './prune/prune.ts';
import type { CompiledSchema, PruneOptions } from './schema.ts';
import { SchemaNode } from './structural/schema-node.ts';
import { HAS_EMBEDDED, surveyOf } from './structural/survey.ts';
import { firstTypeMismatch } from './structural/type-mismatch.ts';
import { validateObject } from './validate-object.ts';

/** Cheap: the schema is walked once, and its nodes are compiled when objects first have values for them. */
export function compileSchema(source: JSONSchemaProps): CompiledSchema {
  const root = new SchemaNode(source, { survey: surveyOf(source), forDefaults: false });
  return {
    source,
    root,
    prune: (object, options) => pruneObject(object, root, options),
    embeddedFault: (object) => embeddedFault(object, root),
    applyDefaults: (object) => applyDefaults(object, root),
    validate: (object, options = {}) => validateObject(object, root, options),
    firstTypeMismatch: (object) => firstTypeMismatch(object, root),
  };
}

function pruneObject(object: JsonObject, root: SchemaNode, options: PruneOptions = {}): string[] {
  const removed = prune(object, root);
  if ((root.facets & HAS_EMBEDDED) === 0) return removed;
  return [...removed, ...coerceEmbedded(object, root, options.dropMalformed === true)];
}
