// Bitwise functions on 64-bit integers.
import { type FunctionDeclaration, functionOf, overload } from '../extension.ts';
import { failure } from '../values/error.ts';
import { normalInt, Uint } from '../values/numbers.ts';
import { intType, uintType } from '../values/types.ts';
import type { Int, Value } from '../values.ts';

const wide = (value: Value): bigint => BigInt(value instanceof Uint ? value.value : (value as Int));
const asInt = (bits: bigint): Value => normalInt(BigInt.asIntN(64, bits));
const asUint = (bits: bigint): Value => new Uint(normalInt(BigInt.asUintN(64, bits)));

function pairwise(name: string, combine: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return functionOf(
    `math.${name}`,
    overload(`math_${name}_int_int`, [intType, intType], intType, (a, b) =>
      asInt(combine(wide(a!), wide(b!))),
    ),
    overload(`math_${name}_uint_uint`, [uintType, uintType], uintType, (a, b) =>
      asUint(combine(wide(a!), wide(b!))),
    ),
  );
}

function shift(name: string, move: (bits: bigint, by: bigint) => bigint): FunctionDeclaration {
  const shifted = (value: Value, by: Value, as: (bits: bigint) => Value): Value => {
    const count = wide(by);
    if (count < 0n) return failure(`math.${name}() negative offset: ${count}`);
    return count >= 64n ? as(0n) : as(move(BigInt.asUintN(64, wide(value)), count));
  };
  return functionOf(
    `math.${name}`,
    overload(`math_${name}_int_int`, [intType, intType], intType, (value, by) => shifted(value!, by!, asInt)),
    overload(`math_${name}_uint_int`, [uintType, intType], uintType, (value, by) =>
      shifted(value!, by!, asUint),
    ),
  );
}

export const bitFunctions: readonly FunctionDeclaration[] = [
  pairwise('bitAnd', (a, b) => a & b),
  pairwise('bitOr', (a, b) => a | b),
  pairwise('bitXor', (a, b) => a ^ b),
  functionOf(
    'math.bitNot',
    overload('math_bitNot_int_int', [intType], intType, (value) => asInt(~wide(value!))),
    overload('math_bitNot_uint_uint', [uintType], uintType, (value) => asUint(~wide(value!))),
  ),
  shift('bitShiftLeft', (bits, by) => bits << by),
  shift('bitShiftRight', (bits, by) => bits >> by),
];
