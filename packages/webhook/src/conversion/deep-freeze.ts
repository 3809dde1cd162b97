// Freezes an object with everything in it, for strict mode.
import type { JsonValue } from '@instar/machinery';

export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member as JsonValue);
  }
  return value;
}
