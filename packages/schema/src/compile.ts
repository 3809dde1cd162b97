// Makes a CompiledSchema: the one entry to everything else in this package.
import type { FieldError, JsonObject } from '@instar/machinery';
import { applyDefaults } from './default/apply.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { duplicateItems } from './listtype/unique.ts';
import { prune } from './prune/prune.ts';
import { Correlation } from './ratchet/correlation.ts';
import type { CompiledSchema, ValidateOptions } from './schema.ts';
import { SchemaNode } from './structural/schema-node.ts';
import { surveyOf } from './structural/survey.ts';
import { validateValues } from './validate/values.ts';

export function compileSchema(source: JSONSchemaProps): CompiledSchema {
  const root = new SchemaNode(source, { survey: surveyOf(source), forDefaults: false });
  return {
    source,
    root,
    prune: (object) => prune(object, root),
    applyDefaults: (object) => applyDefaults(object, root),
    validate: (object, options = {}) => validate(object, root, options),
  };
}

function validate(object: JsonObject, root: SchemaNode, options: ValidateOptions): FieldError[] {
  const { old, ratchet, path } = options;
  const correlation = old === undefined || ratchet === false ? undefined : new Correlation(object, old, root);
  const errors = validateValues(object, root, { path, correlation });
  if (old === undefined || duplicateItems(old, root).length === 0) errors.push(...duplicateItems(object, root, path));
  return errors;
}
