// The oldest revision that etcd still has. There is no call for it: reading at a revision shows whether it is
// too old, and watching from below shows where the limit is.
import { StoreError } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { ResumingWatch } from './resuming-watch.ts';

/** `known`: its last known value; most often it still is. */
export async function readCompactedRevision(
  client: EtcdClient,
  key: Uint8Array,
  known: number,
): Promise<number> {
  const revision = Math.max(known, 1);
  try {
    await client.range({ key, revision, countOnly: true });
    return known;
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'compacted')) throw error;
  }
  return watchFromBelow(client, key, revision);
}

function watchFromBelow(client: EtcdClient, key: Uint8Array, fromRevision: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      watch.stop();
      reject(new StoreError('unavailable', 'etcd does not report how far it has been compacted'));
    }, client.timeoutMs);
    const onCompacted = (compacted: number): void => {
      clearTimeout(timer);
      resolve(compacted);
    };
    const watch = new ResumingWatch({
      client,
      range: { key },
      fromRevision,
      onBatches: () => {},
      onCompacted,
    });
  });
}
