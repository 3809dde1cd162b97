// Distinguishes the object forms of CEL values from values of the host.
import { Comparable } from './comparable.ts';
import { CelError } from './error.ts';
import { Double, Uint } from './numbers.ts';
import { Duration, Timestamp } from './time.ts';
import { CelType } from './types.ts';
import type { Value } from './value.ts';

/** True for the object forms of CEL values; a host may pass them directly. */
export function isCelValue(raw: unknown): raw is Value & object {
  // Nearly all values are plain JSON; this recognizes them without checking all classes.
  const prototype = typeof raw === 'object' && raw !== null ? Object.getPrototypeOf(raw) : Object.prototype;
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return false;
  return (
    raw instanceof Comparable ||
    raw instanceof Double ||
    raw instanceof Uint ||
    raw instanceof Timestamp ||
    raw instanceof Duration ||
    raw instanceof Uint8Array ||
    raw instanceof CelType ||
    raw instanceof CelError
  );
}
