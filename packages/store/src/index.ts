export type { Clock } from './clock.ts';
export type { EtcdOptions } from './engines/etcd/address.ts';
export { needsByteOrder } from './key-order.ts';
export { openForReading, openStore } from './open.ts';
export type { StoreOptions } from './options.ts';
export {
  type Commit,
  type CommitResult,
  type Condition,
  type ListOptions,
  type ListPage,
  type Operation,
  type ReadableStore,
  type Store,
  type StoredEntry,
  StoreError,
  type StoreErrorCode,
  type StoreEvent,
  type StoreWatch,
  type WatchBatch,
  type WatchOptions,
} from './store.ts';
