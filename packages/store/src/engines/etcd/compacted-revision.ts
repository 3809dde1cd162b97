// The oldest revision that etcd still shows. It has no call for that: whether a revision is too old is
// learned by reading at it, and where the border is by watching from below it.
import { StoreError } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { ResumingWatch } from './resuming-watch.ts';

/** `known`: what it was when somebody last looked; most often it still is. */
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
      reject(new StoreError('unavailable', 'etcd does not say how far it has been compacted'));
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
