// Writes a backup beside its final name and renames it when it is complete and on disk.
import { open, rename, rm } from 'node:fs/promises';
import { type BackupSummary, snapshotOf, writeBackup } from '@instar/store/backup';
import { writeProblem } from '../file-problem.ts';
import { openSource } from '../storage/open-storage.ts';
import { reported, say } from '../storage/report.ts';
import { keyPrefix, type StorageFlags, storageUrl, storeOptions } from '../storage/storage-flags.ts';

export function backup(file: string, flags: StorageFlags & { force?: boolean }): Promise<void> {
  return reported(flags, async () => {
    const store = await openSource(
      storageUrl(flags),
      storeOptions(flags),
      '--data-dir or --storage must say where the data is',
    );
    try {
      const snapshot = await snapshotOf(store, keyPrefix(flags));
      const summary =
        file === '-'
          ? await writeBackup(snapshot, process.stdout)
          : await toFile(file, flags.force === true, (sink) => writeBackup(snapshot, sink));
      say(`${summary.entries} entries at revision ${summary.revision}, sha256 ${summary.sha256}`);
    } finally {
      await store.close();
    }
  });
}

async function toFile(
  file: string,
  force: boolean,
  write: (sink: NodeJS.WritableStream) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  // Checked first, so that a long backup does not fail at the end.
  if (!force) await (await open(file, 'wx', 0o600).catch(refuseExisting(file))).close();
  const partial = `${file}.partial`;
  try {
    const handle = await open(partial, 'w', 0o600).catch(refuseUnwritable(file));
    const summary = await write(handle.createWriteStream({ flush: true } as object));
    await rename(partial, file);
    return summary;
  } catch (error) {
    await rm(partial, { force: true });
    if (!force) await rm(file, { force: true });
    throw error;
  }
}

const refuseUnwritable = (file: string) => (error: unknown) => {
  throw new Error(writeProblem(error, file));
};

const refuseExisting = (file: string) => (error: { code?: string }) => {
  throw new Error(
    error.code === 'EEXIST' ? `${file} already exists: --force replaces it` : writeProblem(error, file),
  );
};
