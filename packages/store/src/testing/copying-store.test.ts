import { describeStoreContract } from '../contract/index.ts';
import { openStore } from '../open.ts';
import { copying } from './copying-store.ts';

describeStoreContract('an engine that copies values', {
  open: async (options) => copying(await openStore('memory:', options)),
});
