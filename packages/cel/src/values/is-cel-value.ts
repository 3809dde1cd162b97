// Tells the object forms of CEL values from what a host holds.
import { Comparable } from './comparable.ts';
import { CelError } from './error.ts';
import { Double, Uint } from './numbers.ts';
import { Duration, Timestamp } from './time.ts';
import { CelType } from './types.ts';
import type { Value } from './value.ts';

/** True for the object forms of CEL values; a host may hand those in as they are. */
export function isCelValue(raw: unknown): raw is Value & object {
  // Nearly everything that comes is plain JSON; this tells without a walk through all the classes.
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
