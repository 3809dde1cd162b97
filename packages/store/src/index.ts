export { type Clock, systemClock } from './clock.ts';
export { compareKeys, needsByteOrder } from './key-order.ts';
export { openStore } from './open.ts';
export type { StoreOptions } from './options.ts';
export * from './store.ts';
