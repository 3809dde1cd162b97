// Validation rules that an API server would refuse in the new schema, and would not have refused in the old
// one.
import { type FieldError, FieldPath, fieldErrorBody } from '@instar/machinery';
import { checkRules, type JSONSchemaProps } from '@instar/schema';
import type { Change } from './rule.ts';
import { isSchema } from './walk/walk-schemas.ts';

export function newlyRefusedRules(
  old: JSONSchemaProps,
  next: JSONSchemaProps,
): { readonly change: Change; readonly path: string }[] {
  if (!hasRules(next)) return [];
  const refused = checkRules(next, FieldPath.root);
  if (refused.length === 0) return [];
  const known = new Set(checkRules(old, FieldPath.root).map(({ field }) => field));
  return refused
    .filter(({ field }) => !known.has(field))
    .map((error) => ({
      path: fieldOf(error),
      change: {
        severity: 'breaking',
        message: `the API server refuses a rule: ${fieldErrorBody(error).slice(0, 300)}`,
        key: error.field,
      },
    }));
}

/** properties[spec].properties[a].x-kubernetes-validations[0].rule is about spec.a. */
function fieldOf({ field }: FieldError): string {
  const [schema = ''] = field.split('.x-kubernetes-validations');
  return schema
    .replace(/\.?properties\[([^\]]*)\]/g, '.$1')
    .replace(/\.items/g, '[*]')
    .replace(/\.additionalProperties/g, '.*')
    .replace(/^\./, '');
}

function hasRules(schema: JSONSchemaProps): boolean {
  if ((schema['x-kubernetes-validations']?.length ?? 0) > 0) return true;
  const { properties, items, additionalProperties } = schema;
  for (const name in properties) if (hasRules(properties[name]!)) return true;
  return (
    (isSchema(items) && hasRules(items)) || (isSchema(additionalProperties) && hasRules(additionalProperties))
  );
}
