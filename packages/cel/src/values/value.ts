// How CEL values are represented in JavaScript. The forms are chosen so that JSON needs no conversion:
//   null, bool, string   the JavaScript value
//   int                  a number if it is a safe integer, otherwise a bigint, never both for one value
//   uint, double         wrapped (Uint, Double), so that a plain number is always an int
//   bytes                Uint8Array
//   list, map            CelList, CelMap (abstract: they may read values of the host)
//   object               HostObject: a raw host value with its declared type
//   type                 CelType
//   error                CelError: returned like any value, never thrown
// Arithmetic, comparison and conversion are in stdlib/.
import type { CelError } from './error.ts';
import type { HostObject } from './host-object.ts';
import type { CelList } from './list.ts';
import type { CelMap } from './map.ts';
import type { Double, Uint } from './numbers.ts';
import type { Opaque } from './opaque.ts';
import type { Optional } from './optional.ts';
import type { Duration, Timestamp } from './time.ts';
import type { CelType } from './types.ts';

/** A signed integer: a number if it is safe, otherwise a bigint. */
export type Int = number | bigint;

/** A value while an expression runs. */
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
