// What the contract needs from an engine under test, and helpers that its tests share.
import type { Clock } from '../clock.ts';
import type { CommitResult, Operation, Store, StoredEntry } from '../store.ts';

/** The options that the contract suite sets. */
export interface ContractOptions {
  readonly historySeconds?: number;
  readonly clock?: Clock;
}

/** An engine as the contract suite opens it. */
export interface ContractEngine {
  /** An empty store of its own. */
  open(options: ContractOptions): Promise<Store>;
  /** Why time cannot be set from outside, if it cannot. */
  readonly noClock?: string;
}

export interface ContractStore {
  readonly engine: ContractEngine;
  /** Opens a store that is closed when the test ends. */
  open(options?: ContractOptions): Promise<Store>;
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const textOf = (entry: StoredEntry | undefined): string | undefined =>
  entry && Buffer.from(entry.value).toString();

export const put = (key: string, value = key): Operation => ({ type: 'put', key, value: bytes(value) });
export const remove = (key: string): Operation => ({ type: 'delete', key });

/** Commits without conditions and returns the revision. */
export async function write(store: Store, ...operations: Operation[]): Promise<number> {
  const result: CommitResult = await store.commit({ conditions: [], operations });
  return result.revision;
}

export async function keysOf(store: Store, prefix: string, revision?: number): Promise<string[]> {
  const page = await store.list({ prefix, ...(revision !== undefined && { revision }) });
  return page.entries.map((entry) => `${entry.key}=${textOf(entry)}@${entry.modRevision}`);
}
