export { type Clock, systemClock } from './clock.ts';
export type { EtcdOptions } from './engines/etcd/address.ts';
export { needsByteOrder } from './key-order.ts';
export { openForReading, openStore } from './open.ts';
export type { StoreOptions } from './options.ts';
export * from './store.ts';
