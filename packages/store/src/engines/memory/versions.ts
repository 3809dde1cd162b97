// All versions of all keys in the history, in memory: what a key was at a revision, and what a prefix
// contained.
import { compareUtf8 } from '@instar/go';
import type { StoredEntry } from '../../store.ts';
import { SortedKeys } from './sorted-keys.ts';

/** What a key became at a revision: an entry, or nothing. */
interface MemoryVersion {
  readonly revision: number;
  readonly entry: StoredEntry | undefined;
}

export class MemoryVersions {
  readonly #versions = new Map<string, MemoryVersion[]>();
  readonly #keys = new SortedKeys();

  current(key: string): StoredEntry | undefined {
    return this.#versions.get(key)?.at(-1)?.entry;
  }

  record(key: string, revision: number, entry: StoredEntry | undefined): void {
    const versions = this.#versions.get(key);
    if (versions !== undefined) {
      versions.push({ revision, entry });
      return;
    }
    this.#versions.set(key, [{ revision, entry }]);
    this.#keys.add(key);
  }

  /** Drops what is inaccessible when no revision before `compacted` is requested. */
  forget(key: string, compacted: number): void {
    const versions = this.#versions.get(key);
    if (versions === undefined) return;
    let keep = 0;
    while (keep + 1 < versions.length && versions[keep + 1]!.revision <= compacted) keep++;
    if (keep > 0) versions.splice(0, keep);
    const only = versions[0]!;
    if (versions.length > 1 || only.entry !== undefined || only.revision > compacted) return;
    this.#versions.delete(key);
    this.#keys.remove(key);
  }

  /** The entries under a prefix at a revision, after a key if one is given, in key order. */
  *entries(prefix: string, after: string | undefined, revision: number): Generator<StoredEntry> {
    const start = after !== undefined && compareUtf8(after, prefix) > 0 ? after : prefix;
    for (const key of this.#keys.from(start)) {
      if (key === after) continue;
      if (!key.startsWith(prefix)) return;
      const entry = entryAt(this.#versions.get(key)!, revision);
      if (entry !== undefined) yield entry;
    }
  }
}

function entryAt(versions: readonly MemoryVersion[], revision: number): StoredEntry | undefined {
  for (let at = versions.length - 1; at >= 0; at--) {
    const version = versions[at]!;
    if (version.revision <= revision) return version.entry;
  }
  return undefined;
}
