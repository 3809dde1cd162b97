// Versions of keys, newest or older, wherever they are stored. An old one may be stored as the difference
// from its successor (version-records.ts): then that is read first.
import type { Transaction } from 'lmdb';
import type { StoredEntry } from '../../store.ts';
import { corruptFile } from './data-file.ts';
import type { Tables } from './tables.ts';
import { entryOf, extraOf, leansOnSuccessor, modRevisionOf } from './version-records.ts';

export class LmdbVersions {
  readonly #tables: Tables;
  readonly #options: { transaction: Transaction } | undefined;
  /** What was read so far, for callers that read consecutive versions. */
  readonly #known: Map<string, StoredEntry> | undefined;

  constructor(
    tables: Tables,
    { transaction, remember = false }: { transaction?: Transaction; remember?: boolean } = {},
  ) {
    this.#tables = tables;
    this.#options = transaction && { transaction };
    this.#known = remember ? new Map() : undefined;
  }

  /** The version of a key that was written at a revision. */
  at(key: string, modRevision: number): StoredEntry {
    return this.#known?.get(revisionKey(key, modRevision)) ?? this.of(key, this.#record(key, modRevision));
  }

  /** The version of a record. */
  of(key: string, record: Buffer): StoredEntry {
    const leaning: Buffer[] = [];
    let last = record;
    let entry: StoredEntry | undefined;
    while (entry === undefined && leansOnSuccessor(last)) {
      leaning.push(last);
      const revision = extraOf(last);
      entry = this.#known?.get(revisionKey(key, revision));
      if (entry === undefined) last = this.#record(key, revision);
    }
    entry ??= this.#noted(entryOf(key, last));
    for (const older of leaning.reverse()) entry = this.#noted(entryOf(key, older, entry.value));
    return entry;
  }

  #noted(entry: StoredEntry): StoredEntry {
    this.#known?.set(revisionKey(entry.key, entry.modRevision), entry);
    return entry;
  }

  #record(key: string, modRevision: number): Buffer {
    const superseded = this.#tables.superseded.getBinary({ key, modRevision }, this.#options);
    if (superseded !== undefined) return superseded;
    const current = this.#tables.current.getBinary(key, this.#options);
    if (current !== undefined && modRevisionOf(current) === modRevision) return current;
    throw corruptFile(this.#tables.path, `revision ${modRevision} of ${JSON.stringify(key)} is gone`);
  }
}

const revisionKey = (key: string, modRevision: number): string => `${modRevision} ${key}`;
