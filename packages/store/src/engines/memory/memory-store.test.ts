import { describeStoreContract } from '../../contract/index.ts';
import { openStore } from '../../open.ts';

describeStoreContract('memory:', { open: (options) => openStore('memory:', options) });
