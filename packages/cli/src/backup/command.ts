import { Command } from 'commander';
import { addStorageOptions, type StorageFlags } from '../storage/storage-flags.ts';

/** `instar backup FILE`. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('write everything in a storage, as of one moment, to a file; servers may be running')
    .argument('<file>', 'the file to write; - for standard output')
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, flags: StorageFlags & { force?: boolean }) => {
      const { backup } = await import('./backup.ts');
      await backup(file, flags);
    });
  return addStorageOptions(command);
}
