// The size of a value, as size() and cost accounting see it: code points, bytes, elements, entries; 1 for
// anything else.
import { work } from '../meter.ts';
import { mapOfValue } from './comparable.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import type { Value } from './value.ts';

const chunk = 1 << 16;

/** The number of code points. A surrogate pair is one. */
export function codePoints(text: string): number {
  if (text.length <= chunk) return text.length - pairsWithin(text, 0, text.length);
  let count = text.length;
  for (let start = 0; start < text.length; start += chunk) {
    work(chunk >> 3);
    count -= pairsWithin(text, start, Math.min(text.length, start + chunk));
  }
  return count;
}

/** Surrogate pairs that start within these units. */
function pairsWithin(text: string, start: number, end: number): number {
  let pairs = 0;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) pairs++;
    }
  }
  return pairs;
}

export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList || value instanceof CelMap || value instanceof Opaque) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return mapOfValue(value)?.size ?? 1;
}
