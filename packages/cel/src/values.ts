// How CEL values stand in JavaScript while an expression runs. The forms are chosen so that JSON needs no
// conversion:
//   null, bool, string   the JavaScript value
//   int                  a number when it is a safe integer, otherwise a bigint: never both forms of one
//   value
//   uint, double         wrapped (Uint, Double), so that a plain number is always an int
//   bytes                Uint8Array
//   list, map            CelList, CelMap (abstract: the host may lie behind them)
//   object               HostObject: a raw host value beside its declared type
//   type                 CelType
//   error                CelError: returned like any value, never thrown Arithmetic, comparison and
//   conversion live in stdlib/.

import type { CelType } from './types.ts';
import type { CelError } from './values/error.ts';
import type { HostObject } from './values/host-object.ts';
import type { CelList } from './values/list.ts';
import type { CelMap } from './values/map.ts';
import type { Double, Uint } from './values/numbers.ts';
import type { Opaque } from './values/opaque.ts';
import type { Optional } from './values/optional.ts';
import type { Duration, Timestamp } from './values/time.ts';

export type Int = number | bigint;

export type Value =
  | null
  | boolean
  | Int
  | string
  | Uint
  | Double
  | Uint8Array
  | CelList
  | CelMap
  | HostObject
  | Timestamp
  | Duration
  | Optional
  | CelType
  | Opaque
  | CelError;

export { equalValues } from './values/equality.ts';
export {
  CelError,
  divisionByZero,
  failure,
  indexOutOfBounds,
  noSuchKey,
  noSuchOverload,
} from './values/error.ts';
export { HostObject } from './values/host-object.ts';
export { ArrayList, CelList, listOf } from './values/list.ts';
export { CelMap, EntryMap, mapOf } from './values/map.ts';
export { Double, intOf, isInt, maxInt, maxUint, minInt, Uint, uintOf } from './values/numbers.ts';
export { Opaque } from './values/opaque.ts';
export { none, Optional, some } from './values/optional.ts';
export { codePoints, sizeOf } from './values/size.ts';
export { Duration, Timestamp } from './values/time.ts';
export { typeOf } from './values/type-of.ts';
