// a.f, has(a.f), a.?f, a[i], a[?i]. Fields of host objects are read from the raw object without intermediate
// values.

import type { CostModel } from '../extension.ts';
import { hasField, indexOptionally, indexValue } from '../stdlib/index-value.ts';
import { CelError, noSuchKey } from '../values/error.ts';
import { HostObject, readerOf } from '../values/host-object.ts';
import { Optional } from '../values/optional.ts';
import { boolType, type CelType, type FieldDeclaration, isOptionalType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Frame } from './frame.ts';
import { type Node, nodeOf } from './node.ts';

/**
 * What upstream charges for accessing the operand: its own cost, and one more if it is not an attribute.
 */
const operandCost = (operand: Node): number => operand.cost + (operand.attribute === undefined ? 1 : 0);
const discountOf = (operand: Node): number =>
  operand.attribute === undefined ? 1 : operand.attribute.discount;
const resolvedCost = (operand: Node): number => operand.cost - (operand.attribute?.discount ?? 0);

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Reads an own property of a plain object. JSON has no undefined, so undefined means absent. */
function ownReader(key: string): (raw: object) => unknown {
  if (!inherited.has(key)) return (raw) => (raw as Record<string, unknown>)[key];
  return (raw) => (Object.hasOwn(raw, key) ? (raw as Record<string, unknown>)[key] : undefined);
}

export function selectNode(operand: Node, name: string, type: CelType): Node {
  const attribute = { discount: discountOf(operand) };
  const cost = operandCost(operand) + 1;
  if (isOptionalType(operand.type)) return optionalChain(operand, name, type);
  const field = operand.type.object?.field(name);
  if (field !== undefined && operand.raw !== undefined && operand.type.object?.access === undefined) {
    return plainField(operand, field, name, type, cost, attribute);
  }
  const { run } = operand;
  const select = (frame: Frame): Value => {
    const value = run(frame);
    return value instanceof CelError ? value : indexValue(value, name);
  };
  return nodeOf(type, cost, select, {
    attribute,
    raw: type.kind === 'object' ? rawOfValue(select) : undefined,
  });
}

/** Selecting through an optional costs only if it has a value. */
function optionalChain(operand: Node, key: string, type: CelType): Node {
  const { run } = operand;
  const select = (frame: Frame): Value => paidIfPresent(frame, run(frame), key);
  return nodeOf(type, operandCost(operand), select, { attribute: { discount: discountOf(operand) } });
}

function paidIfPresent(frame: Frame, value: Value, key: Value): Value {
  if (value instanceof CelError) return value;
  const found = indexOptionally(value, key);
  if (found instanceof CelError || (found instanceof Optional && found.value !== undefined)) frame.cost++;
  return found;
}

/** The raw form of a HostObject; any other value is returned unchanged. */
export function rawOfValue(run: (frame: Frame) => Value): (frame: Frame) => unknown {
  return (frame) => {
    const value = run(frame);
    return value instanceof HostObject ? value.raw : value;
  };
}

function plainField(
  operand: Node,
  field: FieldDeclaration,
  name: string,
  type: CelType,
  cost: number,
  attribute: { readonly discount: number },
): Node {
  const rawRun = operand.raw!;
  const key = field.key ?? name;
  const own = ownReader(key);
  const absent = field.absent === undefined ? noSuchKey(name) : field.absent;
  const nullIsAbsent = operand.type.object?.nullIsAbsent === true;
  const read = field.read ?? readerOf(field.type);
  const rawField = (frame: Frame): unknown => {
    const raw = rawRun(frame);
    if (typeof raw !== 'object' || raw === null) return noSuchKey(name);
    if (raw instanceof CelError) return raw;
    const value = own(raw);
    return value === undefined || (value === null && nullIsAbsent) ? absent : value;
  };
  const run =
    field.read === undefined
      ? typedRead(rawField, field.type)
      : (frame: Frame) => readUnlessError(rawField(frame), read, absent);
  const passesRaw =
    field.type.kind === 'object' && field.read === undefined && field.type.object?.access === undefined;
  const raw = passesRaw ? rawField : field.type.kind === 'object' ? rawOfValue(run) : undefined;
  return nodeOf(type, cost, run, { attribute, raw });
}

function readUnlessError(raw: unknown, read: (raw: unknown) => Value, absent: Value): Value {
  return raw instanceof CelError || raw === absent ? (raw as Value) : read(raw);
}

/** Scalars that need no reader are returned immediately. */
function typedRead(rawField: (frame: Frame) => unknown, type: CelType): (frame: Frame) => Value {
  const read = readerOf(type);
  switch (type.kind) {
    case 'string':
      return (frame) => {
        const raw = rawField(frame);
        return typeof raw === 'string' ? raw : read(raw);
      };
    case 'int':
      return (frame) => {
        const raw = rawField(frame);
        return typeof raw === 'number' && Number.isSafeInteger(raw) && raw !== 0 ? raw : read(raw);
      };
    case 'bool':
      return (frame) => {
        const raw = rawField(frame);
        return typeof raw === 'boolean' ? raw : read(raw);
      };
    default:
      return (frame) => read(rawField(frame));
  }
}

export function testNode(operand: Node, name: string, model: CostModel): Node {
  const presence = model.presenceTestCost ?? 1;
  const cost = resolvedCost(operand) + 1 + presence;
  const attribute = { discount: presence };
  const field = operand.type.object?.field(name);
  const rawRun = operand.raw;
  if (field !== undefined && rawRun !== undefined && operand.type.object?.access === undefined) {
    const own = ownReader(field.key ?? name);
    const nullIsAbsent = operand.type.object?.nullIsAbsent === true;
    const run = (frame: Frame): Value => {
      const raw = rawRun(frame);
      if (typeof raw !== 'object' || raw === null) return false;
      if (raw instanceof CelError) return raw;
      const value = own(raw);
      return value !== undefined && !(value === null && nullIsAbsent);
    };
    return nodeOf(boolType, cost, run, { attribute });
  }
  const { run } = operand;
  return nodeOf(boolType, cost, (frame) => hasField(run(frame), name), { attribute });
}

export function indexNode(operand: Node, index: Node, type: CelType): Node {
  const attribute = { discount: discountOf(operand) };
  const through = isOptionalType(operand.type);
  const cost = operandCost(operand) + resolvedCost(index) + (through ? 0 : 1);
  const container = operand.run;
  const key = index.run;
  const run = (frame: Frame): Value => {
    const from = container(frame);
    if (from instanceof CelError) return from;
    const at = key(frame);
    if (at instanceof CelError) return at;
    return through ? paidIfPresent(frame, from, at) : indexValue(from, at);
  };
  return nodeOf(type, cost, run, { attribute, raw: type.kind === 'object' ? rawOfValue(run) : undefined });
}

export function optionalIndexNode(operand: Node, index: Node, type: CelType): Node {
  const container = operand.run;
  const key = index.run;
  const run = (frame: Frame): Value => {
    const from = container(frame);
    if (from instanceof CelError) return from;
    const at = key(frame);
    return at instanceof CelError ? at : paidIfPresent(frame, from, at);
  };
  return nodeOf(type, operandCost(operand) + resolvedCost(index), run, {
    attribute: { discount: discountOf(operand) },
  });
}
