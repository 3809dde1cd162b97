// Puts a backup into a storage. The file is checked as a whole before anything is written.
import { openStore } from '@instar/store';
import { fillStore, openBackup } from '@instar/store/backup';
import { eventTtl } from '../storage/event-ttl.ts';
import { progressOf, reported, say } from '../storage/report.ts';
import { keyPrefix, type StorageFlags, storageUrl, storeOptions } from '../storage/storage-flags.ts';

export function restore(file: string, flags: StorageFlags & { force?: boolean; eventTtl: number }): Promise<void> {
  return reported(async () => {
    const { snapshot, summary } = await openBackup(file);
    const prefix = keyPrefix(flags);
    const store = await openStore(storageUrl(flags), storeOptions(flags));
    try {
      const filled = await fillStore(store, snapshot, {
        id: summary.sha256,
        prefix,
        force: flags.force === true,
        ttlSecondsOf: eventTtl(prefix, flags.eventTtl / 1000),
        onProgress: progressOf('restored'),
      });
      say(`${filled.entries} entries restored; the storage is at revision ${filled.revision}, the backup was at ${summary.revision}`);
    } finally {
      await store.close();
    }
  });
}
