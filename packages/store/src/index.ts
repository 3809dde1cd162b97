export { type Clock, systemClock } from './clock.ts';
export { openStore } from './open.ts';
export type { StoreOptions } from './options.ts';
export * from './store.ts';
