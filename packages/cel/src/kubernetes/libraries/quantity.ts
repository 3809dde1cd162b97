// The library of quantities: quantity(), isQuantity(), comparison and arithmetic.

import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAsFloat,
  quantityAsInteger,
  quantityOfInteger,
  quantitySign,
  subtractQuantities,
} from '@instar/go';
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { boolType, doubleType, intType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, Double, intOf, Opaque, type Value } from '../../values.ts';

export const quantityType = opaqueType('kubernetes.Quantity');

class QuantityValue extends Opaque {
  readonly type = quantityType;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

const amountOf = (value: Value): Quantity => (value as QuantityValue).quantity;
const integerAmount = (value: Value): Quantity => quantityOfInteger(BigInt(value as number | bigint));

function quantityOfString(text: Value): Value {
  const quantity = parseQuantity(text as string);
  return typeof quantity === 'string' ? new CelError(quantity) : new QuantityValue(quantity);
}

function calculated(calculate: (a: Quantity, b: Quantity) => Quantity, a: Quantity, b: Quantity): Value {
  try {
    return new QuantityValue(calculate(a, b));
  } catch (error) {
    if (error instanceof RangeError) return new CelError(error.message);
    throw error;
  }
}

function asInteger(value: Value): Value {
  const integer = quantityAsInteger(amountOf(value));
  return integer === undefined ? new CelError('cannot convert value to integer') : intOf(integer);
}

function comparison(name: string, id: string, holds: (order: number) => boolean) {
  return functionOf(
    name,
    memberOverload(id, [quantityType, quantityType], boolType, (a, b) =>
      holds(compareQuantities(amountOf(a), amountOf(b))),
    ),
  );
}

function arithmetic(name: string, calculate: (a: Quantity, b: Quantity) => Quantity) {
  return functionOf(
    name,
    memberOverload(`quantity_${name}`, [quantityType, quantityType], quantityType, (a, b) =>
      calculated(calculate, amountOf(a), amountOf(b)),
    ),
    memberOverload(`quantity_${name}_int`, [quantityType, intType], quantityType, (a, b) =>
      calculated(calculate, amountOf(a), integerAmount(b)),
    ),
  );
}

export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    functionOf('quantity', overload('string_to_quantity', [stringType], quantityType, quantityOfString)),
    functionOf(
      'isQuantity',
      overload(
        'is_quantity_string',
        [stringType],
        boolType,
        (text) => typeof parseQuantity(text as string) !== 'string',
      ),
    ),
    functionOf(
      'sign',
      overload('quantity_sign', [quantityType], intType, (value) => quantitySign(amountOf(value))),
    ),
    comparison('isGreaterThan', 'quantity_is_greater_than', (order) => order > 0),
    comparison('isLessThan', 'quantity_is_less_than', (order) => order < 0),
    functionOf(
      'compareTo',
      memberOverload('quantity_compare_to', [quantityType, quantityType], intType, (a, b) =>
        compareQuantities(amountOf(a), amountOf(b)),
      ),
    ),
    functionOf(
      'asApproximateFloat',
      memberOverload(
        'quantity_get_float',
        [quantityType],
        doubleType,
        (value) => new Double(quantityAsFloat(amountOf(value))),
      ),
    ),
    functionOf('asInteger', memberOverload('quantity_get_int', [quantityType], intType, asInteger)),
    functionOf(
      'isInteger',
      memberOverload(
        'quantity_is_integer',
        [quantityType],
        boolType,
        (value) => quantityAsInteger(amountOf(value)) !== undefined,
      ),
    ),
    arithmetic('add', addQuantities),
    arithmetic('sub', subtractQuantities),
  ],
};
