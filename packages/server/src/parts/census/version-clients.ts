// Who has read or written which version of which custom resource, and when: what must be known before a
// version can go. The table has a bound. What does not fit is counted together, for the evidence that
// somebody uses a version must not get lost.
import { createHash } from 'node:crypto';

export interface VersionClient {
  readonly crd: string;
  readonly version: string;
  readonly user: string;
  readonly userAgent: string;
  /** Times in milliseconds, as Date.now(). */
  readonly firstSeen: number;
  lastSeen: number;
  lastRead?: number;
  lastWrite?: number;
  reads: number;
  writes: number;
}

/** What is used: which version of which resource, by whom. */
export interface Use {
  readonly crd: string;
  readonly version: string;
  readonly user: string;
  readonly userAgent: string;
}

export const OTHERS = '(others)';
const MAX_ROWS = 5_000;
const MAX_TEXT = 256;
/** What was not seen for so long is forgotten when the server starts. */
const REMEMBERED_MS = 90 * 24 * 3600 * 1000;

export class VersionClients {
  readonly #rows = new Map<string, VersionClient>();
  readonly #watches = new WeakMap<VersionClient, number>();
  readonly #maxRows: number;
  /** Grows with every use: whoever keeps a copy compares it. */
  changes = 0;

  constructor(maxRows = MAX_ROWS) {
    this.#maxRows = maxRows;
  }

  record(use: Use, isWrite: boolean, now: number): VersionClient {
    const row = this.#row(use, now);
    row.lastSeen = now;
    if (isWrite) {
      row.lastWrite = now;
      row.writes++;
    } else {
      row.lastRead = now;
      row.reads++;
    }
    this.changes++;
    return row;
  }

  /** From now until the returned function is called, the client watches: it is seen all the time. */
  watch(row: VersionClient, now: () => number): () => void {
    this.#watches.set(row, this.openWatches(row) + 1);
    return () => {
      this.#watches.set(row, this.openWatches(row) - 1);
      row.lastSeen = now();
      this.changes++;
    };
  }

  openWatches(row: VersionClient): number {
    return this.#watches.get(row) ?? 0;
  }

  all(): Iterable<VersionClient> {
    return this.#rows.values();
  }

  /**
   * What is left of definitions that are gone: one of the same name that comes later has clients of its own.
   */
  forget(isGone: (crd: string) => boolean): void {
    for (const [key, { crd }] of this.#rows) {
      if (!isGone(crd)) continue;
      this.#rows.delete(key);
      this.changes++;
    }
  }

  /** Takes in what was kept from an earlier run. */
  load(rows: readonly VersionClient[], now: number): void {
    for (const row of rows) if (row.lastSeen > now - REMEMBERED_MS) this.#rows.set(keyOf(row), { ...row });
  }

  #row(use: Use, now: number): VersionClient {
    const key = keyOf(use);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    if (this.#rows.size >= this.#maxRows && use.userAgent !== OTHERS)
      return this.#row({ ...use, userAgent: OTHERS }, now);
    if (this.#rows.size >= 2 * this.#maxRows && use.user !== OTHERS)
      return this.#row({ ...use, user: OTHERS }, now);
    const cut = (text: string): string => text.slice(0, MAX_TEXT);
    const row = {
      ...use,
      user: cut(use.user),
      userAgent: cut(use.userAgent),
      firstSeen: now,
      lastSeen: now,
      reads: 0,
      writes: 0,
    };
    this.#rows.set(key, row);
    return row;
  }
}

const keyOf = ({ crd, version, user, userAgent }: Use): string =>
  `${crd} ${version} ${user.slice(0, MAX_TEXT)}\n${userAgent.slice(0, MAX_TEXT)}`;

/** A name that a row has as an object: readable, and as unique as it need be. */
export function nameOfClient(row: Use): string {
  const digest = createHash('sha256').update(keyOf(row)).digest('hex').slice(0, 10);
  return `${row.version}.${row.crd}.${digest}`;
}
