// Writes a backup into a storage. The whole file is checked before anything is written.
import { fillStore, openBackup } from '@instar/store/backup';
import { fileProblem } from '../file-problem.ts';
import { eventTtl } from '../storage/event-ttl.ts';
import { openStorage } from '../storage/open-storage.ts';
import { progressOf, reported, say } from '../storage/report.ts';
import { keyPrefix, type StorageFlags, storageUrl, storeOptions } from '../storage/storage-flags.ts';

export function restore(
  file: string,
  flags: StorageFlags & { force?: boolean; eventTtl: number },
): Promise<void> {
  return reported(flags, async () => {
    const { snapshot, summary } = await openBackup(file).catch(notReadable(file));
    const prefix = keyPrefix(flags);
    const store = await openStorage(storageUrl(flags), storeOptions(flags));
    try {
      const filled = await fillStore(store, snapshot, {
        id: summary.sha256,
        prefix,
        force: flags.force === true,
        ttlSecondsOf: eventTtl(prefix, flags.eventTtl / 1000),
        onProgress: progressOf('restored'),
      });
      say(
        `${filled.entries} entries restored; the storage is at revision ${filled.revision}, the backup was at ${summary.revision}`,
      );
    } finally {
      await store.close();
    }
  });
}

const notReadable = (file: string) => (error: NodeJS.ErrnoException) => {
  throw error.syscall === undefined
    ? error
    : new Error(`${fileProblem(error, file)}: name a file written by instar backup`);
};
