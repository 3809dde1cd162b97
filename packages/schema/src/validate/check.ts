// Turns the value constraints of a schema node into one function that answers yes or no: no paths, no messages, no allocation.
// What is wrong with a value that it refuses is told by explain.ts. Children are compiled when a value first reaches them.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { canonicalJson } from '../json/canonical.ts';
import { enumCheck } from './enum.ts';
import { stringCheck } from './strings.ts';
import { isAlmostInteger, isInteger, typeFault } from './types.ts';
import { type Check, ValueSchema } from './value-schema.ts';

export function compileCheck(schema: ValueSchema): Check {
  const ofKind = checkByKind(schema);
  const [first, second, ...rest] = checksOfAnyKind(schema);
  if (first === undefined) return ofKind;
  if (second === undefined) return (value) => ofKind(value) && (value === null || first(value));
  const all = [first, second, ...rest];
  return (value) => ofKind(value) && (value === null || all.every((check) => check(value)));
}

/** The type keyword and the keywords that belong to one type. Null is settled here: of the other keywords only enum looks at it. */
function checkByKind(schema: ValueSchema): Check {
  const { types, format, node } = schema;
  const takes = (sample: JsonValue): boolean => typeFault(types, format, node.nullable, sample) === undefined;
  const takesNull = takes(null) && (node.props.enum?.length ?? 0) === 0;
  const takesBoolean = takes(true);
  const text = takes('') ? textCheck(schema) : never;
  const number = numberCheck(schema, takes);
  const list = takes([]) ? listCheck(schema) : never;
  const object = takes({}) ? objectCheck(schema) : never;
  return (value) => {
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'object':
        return value === null ? takesNull : Array.isArray(value) ? list(value) : object(value);
      case 'boolean':
        return takesBoolean;
      default:
        return number(value);
    }
  };
}

const never = (): boolean => false;
const always = (): boolean => true;

function textCheck({ props, formatCheck }: ValueSchema): (value: string) => boolean {
  const check = stringCheck(props);
  if (check === undefined || formatCheck === undefined) return check ?? formatCheck ?? always;
  return (value) => check(value) && formatCheck(value);
}

function numberCheck(schema: ValueSchema, takes: (sample: JsonValue) => boolean): (value: number | bigint) => boolean {
  const takesInteger = takes(1);
  const takesFraction = takes(0.5);
  // A float64 that is all but an integer passes for one; where the type is open or number, all floats pass.
  const takesWhole = takesFraction || takes(1 + 1e-12);
  if (!takesInteger && !takesWhole) return never;
  const { numbers } = schema;
  return (value) => {
    const fits = isInteger(value) ? takesInteger : takesFraction || (takesWhole && isAlmostInteger(value as number));
    return fits && numbers.accepts(value);
  };
}

function listCheck({ node, props }: ValueSchema): (list: JsonValue[]) => boolean {
  const { items } = node;
  const min = props.minItems ?? 0;
  const max = props.maxItems ?? Number.POSITIVE_INFINITY;
  const item = items === undefined ? undefined : ValueSchema.of(items);
  return (list) => {
    if (list.length < min || list.length > max) return false;
    if (item !== undefined) for (let index = 0; index < list.length; index++) if (!item.accepts(list[index]!)) return false;
    return props.uniqueItems !== true || areUnique(list);
  };
}

export function areUnique(list: JsonValue[]): boolean {
  return new Set(list.map(canonicalJson)).size === list.length;
}

function objectCheck({ node, props }: ValueSchema): (object: JsonObject) => boolean {
  const required = props.required ?? [];
  const { additionalProperties } = node;
  const additional = additionalProperties === undefined ? undefined : ValueSchema.of(additionalProperties);
  const closed = props.additionalProperties === false;
  const looksAtFields = props.properties !== undefined || props.additionalProperties !== undefined;
  const counts = countCheck(props.minProperties, props.maxProperties);
  const properties = new Map<string, ValueSchema>();
  const schemaOf = (name: string): ValueSchema | undefined => {
    const property = node.property(name);
    if (property === undefined) return additional;
    const schema = ValueSchema.of(property);
    properties.set(name, schema);
    return schema;
  };
  return (object) => {
    for (let index = 0; index < required.length; index++) if (!Object.hasOwn(object, required[index]!)) return false;
    if (counts !== undefined && !counts(object)) return false;
    if (!looksAtFields) return true;
    for (const name in object) {
      const schema = properties.get(name) ?? schemaOf(name);
      if (schema === undefined ? closed : !schema.accepts(object[name]!)) return false;
    }
    return true;
  };
}

function countCheck(min: number | undefined, max: number | undefined): ((object: JsonObject) => boolean) | undefined {
  if (min === undefined && max === undefined) return undefined;
  return (object) => {
    const count = Object.keys(object).length;
    return count >= (min ?? 0) && count <= (max ?? Number.POSITIVE_INFINITY);
  };
}

function checksOfAnyKind(schema: ValueSchema): Check[] {
  const { allOf, anyOf, oneOf } = schema.props;
  const checks: Check[] = [];
  const allowed = enumCheck(schema.props.enum);
  if (allowed !== undefined) checks.push(allowed);
  if (allOf !== undefined && allOf.length > 0) {
    const branches = schema.branches(allOf);
    checks.push((value) => branches.every((branch) => branch.accepts(value)));
  }
  if (anyOf !== undefined && anyOf.length > 0) {
    const branches = schema.branches(anyOf);
    checks.push((value) => branches.some((branch) => branch.accepts(value)));
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const branches = schema.branches(oneOf);
    checks.push((value) => branches.filter((branch) => branch.accepts(value)).length === 1);
  }
  const { not } = schema;
  if (not !== undefined) checks.push((value) => !not.accepts(value));
  return checks;
}
