/**
 * A unique key for a scalar; undefined for other values. Numbers of different types have different keys.
 */
import { Double, Duration, Timestamp, Uint, type Value } from '../../values.ts';

export function scalarKey(value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return `"${value}`;
    case 'object':
      return value === null ? 'null' : objectKey(value);
    default:
      return `${value}`;
  }
}

function objectKey(value: Value & object): string | undefined {
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Timestamp) return `timestamp ${value.nanos}`;
  if (value instanceof Duration) return `duration ${value.nanos}`;
  return value instanceof Uint8Array ? `bytes ${value.join(' ')}` : undefined;
}
