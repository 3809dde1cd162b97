// The order of scalars for lists of one type. Undefined where there is none.
import { Double, Duration, Timestamp, Uint, type Value } from '../../values.ts';

export function compareScalars(a: Value, b: Value): -1 | 0 | 1 | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  const left = orderable(a);
  const right = orderable(b);
  if (left === undefined || right === undefined || left.kind !== right.kind) return undefined;
  // NaN is neither less nor greater, which leaves things where they are.
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

function orderable(value: Value): { kind: string; value: number | bigint } | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', value };
  if (value instanceof Uint || value instanceof Double) return { kind: 'number', value: value.value };
  if (typeof value === 'boolean') return { kind: 'bool', value: Number(value) };
  if (value instanceof Duration) return { kind: 'duration', value: value.nanos };
  return value instanceof Timestamp ? { kind: 'timestamp', value: value.nanos } : undefined;
}

/** By code points, as bytes of UTF-8 would compare; JavaScript alone would compare UTF-16 units. */
function compareStrings(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return unitRank(a.charCodeAt(at)) < unitRank(b.charCodeAt(at)) ? -1 : 1;
}

/** Surrogates stand for code points above all others; NaN is the end of the string. */
function unitRank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) if (a[at] !== b[at]) return a[at]! < b[at]! ? -1 : 1;
  return Math.sign(a.length - b.length) as -1 | 0 | 1;
}
