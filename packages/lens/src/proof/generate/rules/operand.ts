// What an expression in a rule refers to: a path in the object that can be changed, or a plain value.
import { Double, type Expr, operators } from '@instar/cel';
import { unescapeName } from '@instar/cel/kubernetes';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { childSchema, type ValuePath, valueAt } from '../value-path.ts';

export interface ValueRef {
  readonly place: ValuePath;
  readonly schema: JSONSchemaProps | undefined;
}

export type Operand = ValueRef | { readonly value: JsonValue };

/** Variables in scope. */
export type RuleScope = ReadonlyMap<string, Operand>;

export const isPlace = (operand: Operand | undefined): operand is ValueRef =>
  operand !== undefined && 'place' in operand;

/** Functions that return their argument, as far as is known here. */
const SAME_VALUE: ReadonlySet<string> = new Set([
  'dyn',
  'string',
  'int',
  'double',
  'duration',
  'quantity',
  'timestamp',
  'url',
  'ip',
  'cidr',
  'lowerAscii',
  'upperAscii',
  'trim',
  'value',
  'asInteger',
]);

export function operandOf(expr: Expr, scope: RuleScope, root: JsonObject): Operand | undefined {
  switch (expr.kind) {
    case 'literal':
      return literalOf(expr.value);
    case 'ident':
      return scope.get(expr.name);
    case 'select':
      return expr.test
        ? undefined
        : below(operandOf(expr.operand, scope, root), unescapeName(expr.field) ?? expr.field);
    case 'list':
      return listOf(expr.elements, scope, root);
    case 'call':
      return ofCall(expr, scope, root);
    default:
      return undefined;
  }
}

/** The current value of an expression, if known. */
export function currentValue(expr: Expr, scope: RuleScope, root: JsonObject): JsonValue | undefined {
  const operand = operandOf(expr, scope, root);
  if (operand !== undefined) return isPlace(operand) ? valueAt(root, operand.place) : operand.value;
  return expr.kind === 'call' ? computed(expr, scope, root) : undefined;
}

function literalOf(value: unknown): Operand | undefined {
  if (value instanceof Double) return { value: value.value };
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
    ? { value: value as JsonValue }
    : undefined;
}

function listOf(elements: readonly Expr[], scope: RuleScope, root: JsonObject): Operand | undefined {
  const values = elements.map((element) => currentValue(element, scope, root));
  return values.some((value) => value === undefined) ? undefined : { value: values as JsonValue[] };
}

function below(operand: Operand | undefined, step: string | number): Operand | undefined {
  if (operand === undefined) return undefined;
  if (isPlace(operand)) return { place: [...operand.place, step], schema: childSchema(operand.schema, step) };
  const value = valueAt(operand.value, [step]);
  return value === undefined ? undefined : { value };
}

function ofCall(
  { name, target, args }: Extract<Expr, { kind: 'call' }>,
  scope: RuleScope,
  root: JsonObject,
): Operand | undefined {
  if (name === operators.index || name === operators.optIndex || name === operators.optSelect) {
    const step = currentValue(args[1]!, scope, root);
    const isStep = typeof step === 'string' || typeof step === 'number';
    return isStep ? below(operandOf(args[0]!, scope, root), step) : undefined;
  }
  if (name === 'orValue' && target !== undefined) return operandOf(target, scope, root);
  const inner = target ?? args[0];
  return SAME_VALUE.has(name) && inner !== undefined && (target === undefined || args.length === 0)
    ? operandOf(inner, scope, root)
    : undefined;
}

function computed(
  expr: Extract<Expr, { kind: 'call' }>,
  scope: RuleScope,
  root: JsonObject,
): JsonValue | undefined {
  if (expr.name === 'size') return sizeOf(currentValue(expr.target ?? expr.args[0]!, scope, root));
  const [left, right] = expr.args.map((arg) => currentValue(arg, scope, root));
  if (expr.name === operators.negate && left !== undefined) return -Number(left);
  if (left === undefined || right === undefined) return undefined;
  if (expr.name === operators.add)
    return typeof left === 'string' ? left + String(right) : Number(left) + Number(right);
  if (expr.name === operators.subtract) return Number(left) - Number(right);
  return expr.name === operators.multiply ? Number(left) * Number(right) : undefined;
}

function sizeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}
