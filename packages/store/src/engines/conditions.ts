// A commit's conditions against what stands now.
import type { Condition, StoredEntry } from '../store.ts';

type Read = (key: string) => StoredEntry | undefined;

export function conditionsHold(conditions: readonly Condition[], read: Read): boolean {
  return conditions.every((condition) => (read(condition.key)?.modRevision ?? 0) === condition.modRevision);
}

/** What stands at the conditions' keys, each key once. */
export function currentOf(conditions: readonly Condition[], read: Read): StoredEntry[] {
  const keys = new Set(conditions.map((condition) => condition.key));
  return [...keys].map(read).filter((entry) => entry !== undefined);
}
