// Compiles the value constraints of a schema node to one boolean function: no paths, no messages, no
// allocation. explain.ts says what is wrong with a value that it refuses. Children are compiled when a value
// first reaches them.
import { encodeGoJson, type JsonObject, type JsonValue } from '@instar/machinery';
import { enumCheck } from './enum.ts';
import { stringCheck } from './strings.ts';
import { isAlmostInteger, isInteger, typeFault } from './types.ts';
import type { ValueCheck, ValueSchema } from './value-schema.ts';

export function compileCheck(schema: ValueSchema): ValueCheck {
  const ofType = checkByType(schema);
  const [first, second, ...rest] = checksOfAnyType(schema);
  if (first === undefined) return ofType;
  if (second === undefined) return (value) => ofType(value) && (value === null || first(value));
  const all = [first, second, ...rest];
  return (value) => ofType(value) && (value === null || all.every((check) => check(value)));
}

/**
 * The type keyword and the keywords that belong to one type. Null is handled here: of the other keywords only
 * enum applies to it.
 */
function checkByType(schema: ValueSchema): ValueCheck {
  const { types, format, node } = schema;
  const accepts = (sample: JsonValue): boolean =>
    typeFault(types, format, node.nullable, sample) === undefined;
  const acceptsNull = accepts(null) && (node.props.enum?.length ?? 0) === 0;
  const checks: TypeChecks = {
    text: accepts('') ? textCheck(schema) : never,
    number: numberCheck(schema, accepts),
    list: accepts([]) ? listCheck(schema) : never,
    object: accepts({}) ? objectCheck(schema) : never,
    boolean: accepts(true) ? always : never,
  };
  const taken = Object.values(checks).filter((check) => check !== never);
  return taken.length === 1 ? checkOfOneType(checks, acceptsNull) : checkOfManyTypes(checks, acceptsNull);
}

interface TypeChecks {
  readonly text: (value: string) => boolean;
  readonly number: (value: number | bigint) => boolean;
  readonly list: (value: JsonValue[]) => boolean;
  readonly object: (value: JsonObject) => boolean;
  readonly boolean: () => boolean;
}

/** Nearly all nodes have one type: these skip the switch. */
function checkOfOneType(
  { text, number, list, object, boolean }: TypeChecks,
  acceptsNull: boolean,
): ValueCheck {
  if (text === always) return (value) => typeof value === 'string' || (value === null && acceptsNull);
  if (text !== never)
    return (value) => (typeof value === 'string' ? text(value) : value === null && acceptsNull);
  if (boolean !== never) return (value) => typeof value === 'boolean' || (value === null && acceptsNull);
  if (list !== never) return (value) => (Array.isArray(value) ? list(value) : value === null && acceptsNull);
  if (number !== never) return (value) => (isNumber(value) ? number(value) : value === null && acceptsNull);
  return (value) =>
    typeof value === 'object' && !Array.isArray(value)
      ? value === null
        ? acceptsNull
        : object(value)
      : false;
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function checkOfManyTypes(
  { text, number, list, object, boolean }: TypeChecks,
  acceptsNull: boolean,
): ValueCheck {
  return (value) => {
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'object':
        return value === null ? acceptsNull : Array.isArray(value) ? list(value) : object(value);
      case 'boolean':
        return boolean();
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

function numberCheck(
  schema: ValueSchema,
  accepts: (sample: JsonValue) => boolean,
): (value: number | bigint) => boolean {
  const acceptsInteger = accepts(1);
  const acceptsFraction = accepts(0.5);
  // A float64 that is almost an integer is accepted as one; where the type is open or number, all floats are.
  const acceptsWhole = acceptsFraction || accepts(1 + 1e-12);
  if (!acceptsInteger && !acceptsWhole) return never;
  const { numbers } = schema;
  return (value) => {
    const fits = isInteger(value)
      ? acceptsInteger
      : acceptsFraction || (acceptsWhole && isAlmostInteger(value as number));
    return fits && numbers.accepts(value);
  };
}

function listCheck(schema: ValueSchema): (list: JsonValue[]) => boolean {
  const { node, props } = schema;
  const { items } = node;
  const min = props.minItems ?? 0;
  const max = props.maxItems ?? Number.POSITIVE_INFINITY;
  let item: ValueCheck | undefined;
  return (list) => {
    if (list.length < min || list.length > max) return false;
    if (items !== undefined && list.length > 0) {
      item ??= schema.checkOf(items);
      for (let index = 0; index < list.length; index++) if (!item(list[index]!)) return false;
    }
    return props.uniqueItems !== true || areUnique(list);
  };
}

export function areUnique(list: JsonValue[]): boolean {
  return new Set(list.map(encodeGoJson)).size === list.length;
}

function objectCheck(schema: ValueSchema): (object: JsonObject) => boolean {
  const { props } = schema;
  const required = requiredCheck(props.required ?? []);
  const counts = countCheck(props.minProperties, props.maxProperties);
  const fields = props.properties === undefined ? mapCheck(schema) : fieldsCheck(schema);
  return (object) => required(object) && counts(object) && fields(object);
}

/** An object without properties: all members have the same schema. */
function mapCheck(schema: ValueSchema): (object: JsonObject) => boolean {
  const { node, props } = schema;
  const { additionalProperties } = node;
  if (additionalProperties === undefined) return props.additionalProperties === false ? isEmpty : always;
  let check: ValueCheck | undefined;
  return (object) => {
    check ??= schema.checkOf(additionalProperties);
    for (const name in object) if (!check(object[name]!)) return false;
    return true;
  };
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function fieldsCheck(schema: ValueSchema): (object: JsonObject) => boolean {
  const { node, props } = schema;
  const closed = props.additionalProperties === false;
  const properties = new Map<string, ValueCheck>();
  const checkOf = (name: string): ValueCheck | undefined => {
    const property = node.property(name);
    // Names that are not properties come from clients: they are not cached.
    if (property === undefined)
      return node.additionalProperties === undefined ? undefined : schema.checkOf(node.additionalProperties);
    const check = schema.checkOf(property);
    properties.set(name, check);
    return check;
  };
  return (object) => {
    for (const name in object) {
      const check = properties.get(name) ?? checkOf(name);
      if (check === undefined ? closed : !check(object[name]!)) return false;
    }
    return true;
  };
}

/**
 * JSON has no undefined, so a lookup shows what is missing; only names of inherited properties need
 * Object.hasOwn.
 */
function requiredCheck(names: readonly string[]): (object: JsonObject) => boolean {
  if (names.length === 0) return always;
  const areInherited = names.some((name) => name in Object.prototype);
  if (areInherited) return (object) => names.every((name) => Object.hasOwn(object, name));
  return (object) => {
    for (let index = 0; index < names.length; index++) if (object[names[index]!] === undefined) return false;
    return true;
  };
}

function countCheck(min: number | undefined, max: number | undefined): (object: JsonObject) => boolean {
  if (min === undefined && max === undefined) return always;
  return (object) => {
    const count = Object.keys(object).length;
    return count >= (min ?? 0) && count <= (max ?? Number.POSITIVE_INFINITY);
  };
}

function checksOfAnyType(schema: ValueSchema): ValueCheck[] {
  const { allOf, anyOf, oneOf } = schema.props;
  const checks: ValueCheck[] = [];
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
