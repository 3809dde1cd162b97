// Stores in front of a store.
export { copying } from './copying-store.ts';
