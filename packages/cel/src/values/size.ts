// The size of a value, as size() and cost accounting see it: code points, bytes, elements, entries; 1 for anything else.
import { work } from '../meter.ts';
import type { Value } from '../values.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';

/** The number of code points. A surrogate pair is one. */
export function codePoints(text: string): number {
  const length = text.length;
  if (length > 4096) work(length >> 3);
  let count = length;
  for (let index = 0; index < length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        index++;
      }
    }
  }
  return count;
}

export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList || value instanceof CelMap || value instanceof Opaque) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}
