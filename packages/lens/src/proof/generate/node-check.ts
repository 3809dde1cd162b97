// Whether one value is valid by its schema, by the real validator, compiled once per schema.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { type CompiledSchema, compileSchema, type JSONSchemaProps } from '@instar/schema';

type Check = Pick<CompiledSchema, 'validate'>;

const plain = new WeakMap<JSONSchemaProps, Check>();
const withRules = new WeakMap<JSONSchemaProps, Check>();

/** Ignoring rules. */
export const accepts = (schema: JSONSchemaProps, value: JsonValue): boolean =>
  isValid(plain, schema, value, false);

export const acceptsWithRules = (schema: JSONSchemaProps, value: JsonValue): boolean =>
  isValid(withRules, schema, value, true);

function isValid(
  known: WeakMap<JSONSchemaProps, Check>,
  schema: JSONSchemaProps,
  value: JsonValue,
  rules: boolean,
): boolean {
  let check = known.get(schema);
  if (check === undefined) known.set(schema, (check = compileSchema(schema, { resourceRoot: false, rules })));
  return check.validate(value as JsonObject).length === 0;
}
