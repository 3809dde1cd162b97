// Checks a commit's conditions against the current state.
import type { Condition, StoredEntry } from '../store.ts';

type Read = (key: string) => StoredEntry | undefined;

export function conditionsHold(conditions: readonly Condition[], read: Read): boolean {
  for (const { key, modRevision } of conditions)
    if ((read(key)?.modRevision ?? 0) !== modRevision) return false;
  return true;
}

/** The current entries at the conditions' keys, each key once. */
export function currentOf(conditions: readonly Condition[], read: Read): StoredEntry[] {
  const keys = new Set(conditions.map((condition) => condition.key));
  return [...keys].map(read).filter((entry) => entry !== undefined);
}
