// Turns the value constraints of a schema node into one function that answers yes or no: no paths, no
// messages, no allocation. What is wrong with a value that it refuses is told by explain.ts. Children are
// compiled when a value first reaches them.
import { encodeGoJson, type JsonObject, type JsonValue } from '@instar/machinery';
import { enumCheck } from './enum.ts';
import { stringCheck } from './strings.ts';
import { isAlmostInteger, isInteger, typeFault } from './types.ts';
import type { Check, ValueSchema } from './value-schema.ts';

export function compileCheck(schema: ValueSchema): Check {
  const ofKind = checkByKind(schema);
  const [first, second, ...rest] = checksOfAnyKind(schema);
  if (first === undefined) return ofKind;
  if (second === undefined) return (value) => ofKind(value) && (value === null || first(value));
  const all = [first, second, ...rest];
  return (value) => ofKind(value) && (value === null || all.every((check) => check(value)));
}

/**
 * The type keyword and the keywords that belong to one type. Null is settled here: of the other keywords only
 * enum looks at it.
 */
function checkByKind(schema: ValueSchema): Check {
  const { types, format, node } = schema;
  const takes = (sample: JsonValue): boolean => typeFault(types, format, node.nullable, sample) === undefined;
  const takesNull = takes(null) && (node.props.enum?.length ?? 0) === 0;
  const kinds: Kinds = {
    text: takes('') ? textCheck(schema) : never,
    number: numberCheck(schema, takes),
    list: takes([]) ? listCheck(schema) : never,
    object: takes({}) ? objectCheck(schema) : never,
    boolean: takes(true) ? always : never,
  };
  const taken = Object.values(kinds).filter((check) => check !== never);
  return taken.length === 1 ? checkOfOneKind(kinds, takesNull) : checkOfAnyOf(kinds, takesNull);
}

interface Kinds {
  readonly text: (value: string) => boolean;
  readonly number: (value: number | bigint) => boolean;
  readonly list: (value: JsonValue[]) => boolean;
  readonly object: (value: JsonObject) => boolean;
  readonly boolean: () => boolean;
}

/** Nearly all nodes have one type: these skip the switch. */
function checkOfOneKind({ text, number, list, object, boolean }: Kinds, takesNull: boolean): Check {
  if (text === always) return (value) => typeof value === 'string' || (value === null && takesNull);
  if (text !== never)
    return (value) => (typeof value === 'string' ? text(value) : value === null && takesNull);
  if (boolean !== never) return (value) => typeof value === 'boolean' || (value === null && takesNull);
  if (list !== never) return (value) => (Array.isArray(value) ? list(value) : value === null && takesNull);
  if (number !== never) return (value) => (isNumber(value) ? number(value) : value === null && takesNull);
  return (value) =>
    typeof value === 'object' && !Array.isArray(value) ? (value === null ? takesNull : object(value)) : false;
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function checkOfAnyOf({ text, number, list, object, boolean }: Kinds, takesNull: boolean): Check {
  return (value) => {
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'object':
        return value === null ? takesNull : Array.isArray(value) ? list(value) : object(value);
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
  takes: (sample: JsonValue) => boolean,
): (value: number | bigint) => boolean {
  const takesInteger = takes(1);
  const takesFraction = takes(0.5);
  // A float64 that is all but an integer passes for one; where the type is open or number, all floats pass.
  const takesWhole = takesFraction || takes(1 + 1e-12);
  if (!takesInteger && !takesWhole) return never;
  const { numbers } = schema;
  return (value) => {
    const fits = isInteger(value)
      ? takesInteger
      : takesFraction || (takesWhole && isAlmostInteger(value as number));
    return fits && numbers.accepts(value);
  };
}

function listCheck(schema: ValueSchema): (list: JsonValue[]) => boolean {
  const { node, props } = schema;
  const { items } = node;
  const min = props.minItems ?? 0;
  const max = props.maxItems ?? Number.POSITIVE_INFINITY;
  let item: Check | undefined;
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

/** An object whose members are all alike. */
function mapCheck(schema: ValueSchema): (object: JsonObject) => boolean {
  const { node, props } = schema;
  const { additionalProperties } = node;
  if (additionalProperties === undefined) return props.additionalProperties === false ? isEmpty : always;
  let check: Check | undefined;
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
  const properties = new Map<string, Check>();
  const checkOf = (name: string): Check | undefined => {
    const property = node.property(name);
    // Names that are not properties are as many as clients like: they are not remembered.
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
 * JSON holds no undefined, so that a lookup tells what is missing; only names that every object inherits need
 * more.
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
