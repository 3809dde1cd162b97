// The keys that objects of one kind share, kept so that the parser need not make the same strings again and
// again: worth a quarter of its time. A slot holds the key seen last with that hash; a clash costs a new
// string and nothing else.

const SLOTS = 1024;
const LONGEST_KEPT = 64;
const slots: string[] = new Array<string>(SLOTS).fill('');

/** The characters of `text` from `start` to `end`, of which the caller has made `hash`. */
export function keyAt(text: string, start: number, end: number, hash: number): string {
  const slot = hash & (SLOTS - 1);
  const kept = slots[slot]!;
  if (kept.length === end - start && text.startsWith(kept, start)) return kept;
  const key = text.slice(start, end);
  if (key.length <= LONGEST_KEPT) slots[slot] = key;
  return key;
}

/**
 * A slice holds on to the whole text until it has become a property's name, which it never does when parsing
 * fails.
 */
export function forgetKeys(): void {
  slots.fill('');
}
