import { temporaryFolder } from '@instar/testing';
import { onTestFinished } from 'vitest';
import { describeStoreContract } from '../../contract/index.ts';
import { openStore } from '../../open.ts';

describeStoreContract('lmdb:', {
  open: (options) => openStore(`lmdb:${temporaryFolder(onTestFinished)}`, options),
});
