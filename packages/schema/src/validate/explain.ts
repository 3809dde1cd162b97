// Explains what is wrong with a value, in upstream's words and order. Runs only after a check has refused the
// value, so it need not be fast. Where upstream iterates a Go map in random order, this uses the object's
// own. Schemas of CRDs have no patternProperties, dependencies, additionalItems or lists of item schemas, so
// these are missing here.
import { type JsonObject, type JsonValue, WholeFloat } from '@instar/machinery';
import type { Correlation } from '../ratchet/correlation.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { areUnique } from './check.ts';
import { enumCheck, enumFault } from './enum.ts';
import { explainJunctors } from './junctors.ts';
import { stringFault } from './strings.ts';
import { typeFault } from './types.ts';
import type { ValidationContext } from './validation-context.ts';
import { faults, ValidationResult } from './validation-result.ts';
import { ValueSchema } from './value-schema.ts';

export function explain(schema: ValueSchema, value: JsonValue, context: ValidationContext): ValidationResult {
  const found = new ValidationResult();
  if (!context.counting && schema.accepts(value)) return found;
  explainType(schema, value, context, found);
  if (value !== null) {
    explainJunctors(schema, value, context, found, explain);
    explainByType(schema, value, context, found);
  }
  explainEnum(schema, value, context, found);
  if (value !== null && isObject(value)) explainObject(schema, value, context, found);
  // Upstream counts every keyword group that applied, and the schema itself.
  if (value !== null) found.matches += groupsThatApply(schema, value) + 1;
  return context.correlation?.isUnchanged() === true ? withoutFaults(found) : found;
}

function withoutFaults(found: ValidationResult): ValidationResult {
  const nothing = new ValidationResult();
  nothing.matches = found.matches;
  return nothing;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasType({ types, format }: ValueSchema): boolean {
  return types.length > 0 || format !== '';
}

function groupsThatApply(schema: ValueSchema, value: JsonValue): number {
  const ofType = typeof value === 'boolean' ? 0 : 1;
  const format = typeof value === 'string' && schema.formatCheck !== undefined ? 1 : 0;
  const junctorsAndEnum = 2;
  return (hasType(schema) ? 1 : 0) + junctorsAndEnum + ofType + format;
}

function explainType(
  schema: ValueSchema,
  value: JsonValue,
  { name }: ValidationContext,
  found: ValidationResult,
): void {
  const fault = typeFault(schema.types, schema.format, schema.node.nullable, value);
  if (fault !== undefined) found.add(faults.type(name, fault.expected, fault.actual));
  else if (value === null || hasType(schema)) found.matches++;
}

function explainByType(
  schema: ValueSchema,
  value: JsonValue,
  context: ValidationContext,
  found: ValidationResult,
): void {
  if (typeof value === 'string') explainText(schema, value, context, found);
  else if (typeof value === 'number' || typeof value === 'bigint' || value instanceof WholeFloat) {
    for (const fault of schema.numbers.faults(value as number, context.name)) found.add(fault);
    found.matches++;
  } else if (Array.isArray(value)) explainList(schema, value, context, found);
}

function explainText(
  { props, format, formatCheck }: ValueSchema,
  value: string,
  { name }: ValidationContext,
  found: ValidationResult,
): void {
  const fault = stringFault(props, value, name);
  if (fault !== undefined) found.add(fault);
  if (formatCheck !== undefined && !formatCheck(value)) found.add(faults.type(name, format, value));
}

function explainEnum(
  { props }: ValueSchema,
  value: JsonValue,
  { name }: ValidationContext,
  found: ValidationResult,
): void {
  const allowed = enumCheck(props.enum);
  if (allowed !== undefined && (value === null || !allowed(value)))
    found.add(enumFault(props.enum!, value, name));
}

function explainList(
  { node, props }: ValueSchema,
  list: JsonValue[],
  context: ValidationContext,
  found: ValidationResult,
): void {
  const { name } = context;
  const { items } = node;
  if (items !== undefined) {
    list.forEach((item, index) => {
      found.merge(explainChild(items, item, `${name}[${index}]`, context, context.correlation?.item(index)));
    });
  }
  const { minItems, maxItems, uniqueItems } = props;
  if (minItems !== undefined && list.length < minItems) {
    found.add(faults.invalid(name, list.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems)
    found.add(faults.tooMany(name, 'items', list.length, maxItems));
  if (uniqueItems === true && !areUnique(list))
    found.add(faults.invalid(name, '', "shouldn't contain duplicates"));
  found.matches++;
}

function explainObject(
  { node, props }: ValueSchema,
  object: JsonObject,
  context: ValidationContext,
  found: ValidationResult,
): void {
  const { name } = context;
  explainCount(props.minProperties, props.maxProperties, object, name, found);
  for (const key in object)
    if (node.property(key) === undefined) explainAdditional(node, object, key, context, found);
  for (const key in object) {
    const property = node.property(key);
    if (property === undefined) continue;
    const path = name === '' ? key : `${name}.${key}`;
    // Both objects of an update are in the version of the request, so apiVersion and kind never show a
    // change.
    const isTypeMeta = name === '' && (key === 'kind' || key === 'apiVersion');
    found.merge(
      explainChild(
        property,
        object[key]!,
        path,
        context,
        isTypeMeta ? undefined : context.correlation?.field(key),
      ),
    );
  }
  for (const key of props.required ?? [])
    if (!Object.hasOwn(object, key)) found.add(faults.required(`${name}.${key}`));
}

function explainCount(
  min: number | undefined,
  max: number | undefined,
  object: JsonObject,
  name: string,
  found: ValidationResult,
): void {
  const count = Object.keys(object).length;
  if (min !== undefined && count < min)
    found.add(faults.invalid(name, count, `should have at least ${min} properties`));
  if (max !== undefined && count > max) found.add(faults.tooMany(name, 'properties', count, max));
}

function explainAdditional(
  node: SchemaNode,
  object: JsonObject,
  key: string,
  context: ValidationContext,
  found: ValidationResult,
): void {
  const path = `${context.name}.${key}`;
  const { additionalProperties } = node;
  if (additionalProperties !== undefined) {
    found.merge(
      explainChild(additionalProperties, object[key]!, path, context, context.correlation?.field(key)),
    );
  } else if (node.props.additionalProperties === false) {
    found.add(faults.worded(context.name, key, `${path} in body is a forbidden property`));
  }
}

function explainChild(
  node: SchemaNode,
  value: JsonValue,
  name: string,
  { counting }: ValidationContext,
  correlation?: Correlation,
): ValidationResult {
  return explain(ValueSchema.of(node), value, { name, counting, correlation });
}
