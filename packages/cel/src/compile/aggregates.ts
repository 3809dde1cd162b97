// List, map and object literals. Those of constants are created once.
import type { ListExpr, MapExpr, Struct } from '../ast.ts';
import { listCreateCost, mapCreateCost, structCreateCost } from '../cost/range.ts';
import { describe } from '../stdlib/describe.ts';
import { CelError } from '../values/error.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap, type PrimitiveKey, primitiveKey } from '../values/map.ts';
import { Double } from '../values/numbers.ts';
import { Optional } from '../values/optional.ts';
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Frame, Run } from './frame.ts';
import { constantNode, type Node, nodeOf } from './node.ts';

const sumOf = (nodes: readonly Node[]): number => nodes.reduce((sum, node) => sum + node.cost, 0);
const isConstant = (node: Node): boolean => node.constant !== undefined;

/** The value within an optional; undefined for none. */
function unwrap(value: Value, what: string): Value | undefined {
  if (value instanceof Optional) return value.value;
  return new CelError(`cannot initialize optional ${what} from non-optional value ${describe(value)}`);
}

export function listNode(expr: ListExpr, elements: readonly Node[], type: CelType): Node {
  if (expr.optional.size === 0 && elements.every(isConstant)) {
    return constantNode(type, new ArrayList(elements.map((element) => element.constant!)));
  }
  const runs = elements.map((element) => element.run);
  const run = expr.optional.size === 0 ? plainList(runs) : listWithOptionals(runs, expr.optional);
  return nodeOf(type, sumOf(elements) + listCreateCost, run);
}

function plainList(runs: readonly Run[]): Run {
  return (frame) => {
    const values = new Array<Value>(runs.length);
    for (let index = 0; index < runs.length; index++) {
      const value = runs[index]!(frame);
      if (value instanceof CelError) return value;
      values[index] = value;
    }
    return new ArrayList(values);
  };
}

function listWithOptionals(runs: readonly Run[], optional: ReadonlySet<number>): Run {
  return (frame) => {
    const values: Value[] = [];
    for (const [index, run] of runs.entries()) {
      const value = run(frame);
      if (value instanceof CelError) return value;
      const element = optional.has(index) ? unwrap(value, 'list element') : value;
      if (element instanceof CelError) return element;
      if (element !== undefined) values.push(element);
    }
    return new ArrayList(values);
  };
}

interface Entry {
  readonly key: Run;
  readonly value: Run;
  readonly optional: boolean;
}

export function mapNode(expr: MapExpr, keys: readonly Node[], values: readonly Node[], type: CelType): Node {
  const entries = expr.entries.map((entry, index) => ({
    key: keys[index]!.run,
    value: values[index]!.run,
    optional: entry.optional,
  }));
  const run = (frame: Frame): Value => buildMap(frame, entries);
  if (!entries.some((entry) => entry.optional) && keys.every(isConstant) && values.every(isConstant)) {
    const made = run(undefined as unknown as Frame);
    return made instanceof CelError ? nodeOf(type, 0, () => made) : constantNode(type, made);
  }
  return nodeOf(type, sumOf(keys) + sumOf(values) + mapCreateCost, run);
}

function buildMap(frame: Frame, entries: readonly Entry[]): Value {
  const built = new Map<PrimitiveKey, readonly [Value, Value]>();
  for (const entry of entries) {
    const key = entry.key(frame);
    if (key instanceof CelError) return key;
    const given = entry.value(frame);
    if (given instanceof CelError) return given;
    const value = entry.optional ? unwrap(given, `entry '${describe(key)}'`) : given;
    if (value instanceof CelError) return value;
    const primitive = key instanceof Double ? undefined : primitiveKey(key);
    if (primitive === undefined) return new CelError('unsupported key type');
    if (value === undefined) continue;
    if (built.has(primitive)) return new CelError(`repeated key: ${describe(key)}`);
    built.set(primitive, [key, value]);
  }
  return new EntryMap(built);
}

export function structNode(expr: Struct, values: readonly Node[], type: CelType): Node {
  const declaration = type.object!;
  const fields = expr.fields.map((field, index) => ({
    key: declaration.field(field.name)?.key ?? field.name,
    value: values[index]!.run,
    optional: field.optional,
  }));
  const run = (frame: Frame): Value => {
    const given = new Map<string, Value>();
    for (const field of fields) {
      const found = field.value(frame);
      if (found instanceof CelError) return found;
      const value = field.optional ? unwrap(found, `entry '${field.key}'`) : found;
      if (value instanceof CelError) return value;
      if (value !== undefined) given.set(field.key, value);
    }
    return declaration.create === undefined
      ? new CelError(`unknown type: ${type.name}`)
      : declaration.create(given);
  };
  return nodeOf(type, sumOf(values) + structCreateCost, run);
}
