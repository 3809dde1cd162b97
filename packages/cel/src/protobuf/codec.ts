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
   * The raw form of a value; a CelError if it has none, undefined if the value means absence (null).
   */
  readonly write: (value: Value) => unknown;
  /** The value of a singular field of the type that is not set. */
  readonly absent: () => Value;
  /** Whether two raw forms are equal, if that differs from the equality of their values. */
  readonly same?: (a: unknown, b: unknown) => boolean;
}

export const notConvertible = (value: Value, to: CelType): CelError =>
  new CelError(`unsupported type conversion from '${typeOf(value).name}' to '${formatType(to)}'`);

/** The same type with null among its values. */
export const nullable = (type: CelType): CelType =>
  new CelType(type.kind, type.name, type.params, true, type.object);
