import { openStore } from '@instar/store';
import { describeStoreContract } from '@instar/store/contract';
import { copying } from './copying-store.ts';

describeStoreContract('an engine that copies values', {
  open: async (options) => copying(await openStore('memory:', options)),
});
