// Which clients have read or written which version of which custom resource, and when: what must be known
// before a version is removed. The size of the table is limited. Clients that do not fit are counted
// together, since the evidence that a version is used must not get lost.
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

/** The use of a version of a resource by a client. */
interface VersionUse {
  readonly crd: string;
  readonly version: string;
  readonly user: string;
  readonly userAgent: string;
}

export const OTHERS = '(others)';
const MAX_ROWS = 5_000;
const MAX_TEXT_CHARACTERS = 256;
/** Clients that were not seen for this long are forgotten when the server starts. */
const MAX_UNSEEN_MS = 90 * 24 * 3600 * 1000;

export class VersionClients {
  readonly #rows = new Map<string, VersionClient>();
  readonly #watches = new WeakMap<VersionClient, number>();
  readonly #maxRows: number;
  /** Grows with every change, so that the owner of a copy can compare. */
  changes = 0;

  constructor(maxRows = MAX_ROWS) {
    this.#maxRows = maxRows;
  }

  record(use: VersionUse, isWrite: boolean, now: number): VersionClient {
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

  /** The client has an open watch, and counts as seen, until the returned function is called. */
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

  /** Removes the clients of deleted definitions: a later definition of the same name has its own clients. */
  forget(isDeleted: (crd: string) => boolean): void {
    for (const [key, { crd }] of this.#rows) {
      if (!isDeleted(crd)) continue;
      this.#rows.delete(key);
      this.changes++;
    }
  }

  /** Adds the clients of an earlier run. */
  load(rows: readonly VersionClient[], now: number): void {
    for (const row of rows) if (row.lastSeen > now - MAX_UNSEEN_MS) this.#rows.set(keyOf(row), { ...row });
  }

  #row(use: VersionUse, now: number): VersionClient {
    const key = keyOf(use);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    if (this.#rows.size >= this.#maxRows && use.userAgent !== OTHERS)
      return this.#row({ ...use, userAgent: OTHERS }, now);
    if (this.#rows.size >= 2 * this.#maxRows && use.user !== OTHERS)
      return this.#row({ ...use, user: OTHERS }, now);
    const cut = (text: string): string => text.slice(0, MAX_TEXT_CHARACTERS);
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

const keyOf = ({ crd, version, user, userAgent }: VersionUse): string =>
  `${crd} ${version} ${user.slice(0, MAX_TEXT_CHARACTERS)}\n${userAgent.slice(0, MAX_TEXT_CHARACTERS)}`;

/** The name of a row as an object: readable, and unique enough. */
export function versionClientName(row: VersionUse): string {
  const digest = createHash('sha256').update(keyOf(row)).digest('hex').slice(0, 10);
  return `${row.version}.${row.crd}.${digest}`;
}
