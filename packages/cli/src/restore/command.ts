import { Command, Option } from 'commander';
import { duration } from '../serve/flag-values.ts';
import { addStorageOptions, type StorageFlags } from '../storage/storage-flags.ts';

/** `instar restore FILE`. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('write a backup into an empty storage; no server must be running on it')
    .argument('<file>', 'a file written by instar backup')
    .option('--force', 'remove everything in the storage first')
    .addOption(
      new Option('--event-ttl <duration>', 'how long restored events are kept')
        .default(3_600_000, '1h')
        .argParser(duration),
    )
    .action(async (file: string, flags: StorageFlags & { force?: boolean; eventTtl: number }) => {
      const { restore } = await import('./restore.ts');
      await restore(file, flags);
    });
  return addStorageOptions(command);
}
