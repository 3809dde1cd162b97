// How values of one protobuf type are read from messages and written into them. The raw forms are those of
// @bufbuild/protobuf.
import { CelError } from '../values/error.ts';
import { typeOf } from '../values/type-of.ts';
import { CelType, formatType } from '../values/types.ts';
import type { Value } from '../values.ts';

export interface Codec {
  readonly type: CelType;
  /** Reads the raw form in place. */
  readonly read: (raw: unknown) => Value;
  /**
   * The raw form of a value; a CelError when it has none, undefined when the value says that there is nothing
   * (null).
   */
  readonly write: (value: Value) => unknown;
  /** What a singular field of the type reads as while it is not set. */
  readonly absent: () => Value;
  /** Whether two raw forms are equal, where that is not the same as being read as equal values. */
  readonly same?: (a: unknown, b: unknown) => boolean;
}

export const notConvertible = (value: Value, to: CelType): CelError =>
  new CelError(`unsupported type conversion from '${typeOf(value).name}' to '${formatType(to)}'`);

/** The same type with null among its values. */
export const nullable = (type: CelType): CelType =>
  new CelType(type.kind, type.name, type.params, true, type.object);
