// Prefixes as etcd's ranges of keys.
import type { KeyRange } from './messages/kv.ts';

const FIRST_KEY = Buffer.from([0]);

export type Range = Required<KeyRange>;

/** All keys that start with `prefix`, or only those after one of them. */
export function prefixRange(prefix: string, after?: string): Range {
  const start = Buffer.from(prefix);
  const range = { key: start.length === 0 ? FIRST_KEY : start, end: endOf(start) };
  if (after === undefined) return range;
  const next = nextKey(Buffer.from(after));
  return Buffer.compare(next, range.key) > 0 ? { key: next, end: range.end } : range;
}

/** The next key after any is that key followed by a zero. */
export const nextKey = (key: Uint8Array): Buffer => Buffer.concat([key, FIRST_KEY]);

/** The range in parts that leave out one key. */
export function without(range: Range, hidden: Uint8Array): Range[] {
  const isWithin = Buffer.compare(range.key, hidden) <= 0 && !isEmptyRange({ key: hidden, end: range.end });
  return isWithin
    ? [
        { key: range.key, end: hidden },
        { key: nextKey(hidden), end: range.end },
      ]
    : [range];
}

/** The least key that is greater than all with the prefix; a zero byte means "no end". */
function endOf(prefix: Buffer): Buffer {
  for (let at = prefix.length - 1; at >= 0; at--) {
    if (prefix[at]! === 0xff) continue;
    const end = Buffer.from(prefix.subarray(0, at + 1));
    end[at]!++;
    return end;
  }
  return FIRST_KEY;
}

/** A range that ends where it begins, or before, is an error for etcd and empty for us. */
export const isEmptyRange = ({ key, end }: Range): boolean =>
  !(end.length === 1 && end[0] === 0) && Buffer.compare(key, end) >= 0;
