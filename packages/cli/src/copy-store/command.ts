import { Command, Option } from 'commander';
import { duration } from '../serve/flag-values.ts';
import { addPrefixOptions } from '../storage/storage-flags.ts';
import type { CopyFlags } from './copy-store.ts';

/** `instar copy-store FROM TO`. */
export function copyStoreCommand(): Command {
  const command = new Command('copy-store')
    .description(
      'copy everything from one storage to another, empty one, as from lmdb:DIR to etcd://HOST:PORT,…',
    )
    .argument('<from>', 'lmdb:DIR or etcd://HOST:PORT,…; no server must write to it meanwhile')
    .argument('<to>', 'lmdb:DIR or etcd://HOST:PORT,…; no server must be running on it')
    .option('--force', 'remove everything in the second storage first')
    .addOption(
      new Option('--event-ttl <duration>', 'how long copied events are kept')
        .default(3_600_000, '1h')
        .argParser(duration),
    )
    .action(async (from: string, to: string, flags: CopyFlags) => {
      const { copyStore } = await import('./copy-store.ts');
      await copyStore(from, to, flags);
    });
  return addPrefixOptions(command);
}
