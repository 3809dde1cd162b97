// Enums: ints, as in cel-go, or separate types, as the specification proposes.
import type { DescEnum } from '@bufbuild/protobuf';
import { type Constant, type FunctionDeclaration, functionOf, overload } from '../extension.ts';
import { CelError } from '../values/error.ts';
import { isInt } from '../values/numbers.ts';
import { Opaque } from '../values/opaque.ts';
import { type CelType, intType, opaqueType, stringType } from '../values/types.ts';
import type { Int, Value } from '../values.ts';
import { type Codec, notConvertible } from './codec.ts';
import { int32 } from './scalar-codecs.ts';

/** A value of an enum that is a separate type; it may be a number without a name in the enum. */
export class EnumValue extends Opaque {
  readonly type: CelType;
  readonly number: number;

  constructor(type: CelType, number: number) {
    super();
    this.type = type;
    this.number = number;
  }

  equals(other: Value): boolean {
    return other instanceof EnumValue && other.type.name === this.type.name && other.number === this.number;
  }
}

export interface EnumForm {
  readonly codec: Codec;
  readonly type: CelType | undefined;
  readonly constants: readonly Constant[];
  readonly functions: readonly FunctionDeclaration[];
}

function constantsOf(desc: DescEnum, codec: Codec): readonly Constant[] {
  return desc.values.map(({ name, number }) => ({
    name: `${desc.typeName}.${name}`,
    type: codec.type,
    value: codec.read(number),
  }));
}

export function intEnum(desc: DescEnum): EnumForm {
  const codec: Codec = {
    type: intType,
    read: (raw) => raw as number,
    write: (value) => (isInt(value) ? int32(value) : notConvertible(value, intType)),
    absent: () => desc.values[0]?.number ?? 0,
  };
  return { codec, type: undefined, constants: constantsOf(desc, codec), functions: [] };
}

export function strongEnum(desc: DescEnum): EnumForm {
  const type = opaqueType(desc.typeName);
  const read = (raw: unknown): Value => new EnumValue(type, raw as number);
  const codec: Codec = {
    type,
    read,
    write: (value) =>
      value instanceof EnumValue && value.type.name === type.name
        ? value.number
        : notConvertible(value, type),
    absent: () => read(desc.values[0]?.number ?? 0),
  };
  return { codec, type, constants: constantsOf(desc, codec), functions: conversions(desc, type, read) };
}

/** `Name(1)`, `Name('ONE')` and `int(value)`. */
function conversions(
  desc: DescEnum,
  type: CelType,
  read: (raw: unknown) => Value,
): readonly FunctionDeclaration[] {
  const name = desc.typeName;
  const fromInt = (value: Value | undefined): Value => {
    const number = int32(value as Int);
    return number instanceof CelError ? number : read(number);
  };
  const fromName = (value: Value | undefined): Value => {
    const named = desc.values.find((each) => each.name === value);
    return named === undefined ? new CelError(`invalid enum value: ${name}.${value}`) : read(named.number);
  };
  return [
    functionOf(
      name,
      overload(`int64_to_${name}`, [intType], type, fromInt),
      overload(`string_to_${name}`, [stringType], type, fromName),
    ),
    functionOf(
      'int',
      overload(`${name}_to_int64`, [type], intType, (value) => (value as EnumValue).number),
    ),
  ];
}
