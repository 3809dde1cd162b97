// The options of a store, and their defaults.
import { type Clock, systemClock } from './clock.ts';
import { DEFAULT_HISTORY_SECONDS } from './defaults/index.ts';
import type { EtcdOptions } from './engines/etcd/address.ts';

/** Options of every engine. */
export interface StoreOptions {
  /** How long lists at, and watches from, a past revision work. Default 300 seconds. */
  readonly historySeconds?: number;
  /** No more past revisions than this are kept, however young. Default 500,000. */
  readonly maxHistoryRevisions?: number;
  /**
   * No more bytes of superseded values than this are kept, as stored in memory or on disk, however young.
   * Default 256 MiB.
   */
  readonly maxHistoryBytes?: number;
  /** The data must not take more space than this; beyond it a commit fails with `full`. Default: no limit. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
  /** Called with each failed write that a store recovers from by itself, for the log. */
  readonly onRecovery?: (cause: Error) => void;
  /** For `etcd:` only. */
  readonly etcd?: EtcdOptions;
}

export type EngineOptions = Required<Omit<StoreOptions, 'etcd'>>;

export function engineOptionsOf(options: StoreOptions): EngineOptions {
  return {
    historySeconds: options.historySeconds ?? DEFAULT_HISTORY_SECONDS,
    maxHistoryRevisions: options.maxHistoryRevisions ?? 500_000,
    maxHistoryBytes: options.maxHistoryBytes ?? 256 * 1024 * 1024,
    maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY,
    clock: options.clock ?? systemClock,
    onRecovery: options.onRecovery ?? (() => undefined),
  };
}
