// The order of keys: that of their UTF-8 bytes, as in etcd and LMDB. JavaScript compares UTF-16 units, which
// differs only where a surrogate pair meets a unit from U+E000 on.

/** Negative, zero or positive, as for sorting. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

// Surrogates stand for code points above every single unit, so they are moved beyond U+FFFF.
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether plain string comparison may order this key wrongly. */
export const needsByteOrder = (key: string): boolean => BEYOND_SURROGATES.test(key);

const BEYOND_SURROGATES = /[\ud800-\uffff]/;
