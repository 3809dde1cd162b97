// The contract of a Store: every sentence of store.ts as a test. Each engine runs it from its own test file;
// what an engine cannot do at all is named, with the reason, and its tests are skipped.
import { afterEach, describe } from 'vitest';
import type { Store } from '../store.ts';
import { describeCommits } from './commits.ts';
import type { ContractEngine, ContractStore } from './engine.ts';
import { describeExpiry } from './expiry.ts';
import { describeHistory } from './history.ts';
import { describeModel } from './model.ts';
import { describeReads } from './reads.ts';
import { describeWatches } from './watches.ts';

export type { ContractEngine, ContractOptions } from './engine.ts';
export { ManualClock } from './manual-clock.ts';
export { Recorder } from './recorder.ts';

/** The tests that every engine must pass. */
export function describeStoreContract(name: string, engine: ContractEngine): void {
  describe(`${name} keeps the contract of a store`, () => {
    const opened: Store[] = [];
    const stores: ContractStore = {
      engine,
      open: async (options) => {
        const store = await engine.open(options ?? {});
        opened.push(store);
        return store;
      },
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    describeReads(stores);
    describeCommits(stores);
    describeWatches(stores);
    describeHistory(stores);
    describeExpiry(stores);
    describeModel(stores);
  });
}
