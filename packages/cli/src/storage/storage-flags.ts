// The storage that a command works on, by its flags. They mean the same as for `instar serve`.
import { join, resolve } from 'node:path';
import { DEFAULT_ETCD_PREFIX, keysBelow } from '@instar/server/wire/defaults';
import type { StoreOptions } from '@instar/store';
import { type Command, Option } from 'commander';
import { etcdOptions } from '../serve/etcd-options.ts';
import type { EtcdFlags } from '../serve/flags.ts';
import { etcdSettings } from '../serve/settings.ts';

export interface StorageFlags extends EtcdFlags {
  readonly storage?: string;
  readonly dataDir: string;
  readonly etcdPrefix: string;
}

export function addPrefixOptions(command: Command): Command {
  command.addOption(
    new Option('--etcd-prefix <prefix>', 'what every key in the storage starts with').default(
      DEFAULT_ETCD_PREFIX,
    ),
  );
  for (const option of etcdOptions()) command.addOption(option);
  return command;
}

export function addStorageOptions(command: Command): Command {
  command.addOption(
    new Option(
      '--data-dir <dir>',
      'the data directory of a server that was started without --storage',
    ).default('.instar'),
  );
  command.addOption(
    new Option('--storage <url>', 'lmdb:DIR or etcd://HOST:PORT,… (default: lmdb:DATA-DIR/store)'),
  );
  return addPrefixOptions(command);
}

export const storageUrl = ({ storage, dataDir }: StorageFlags): string =>
  storage ?? `lmdb:${join(resolve(dataDir), 'store')}`;

export const keyPrefix = ({ etcdPrefix }: { readonly etcdPrefix: string }): string => keysBelow(etcdPrefix);

/** Commands compact nothing: the servers of an etcd do. */
export function storeOptions(flags: EtcdFlags & { readonly etcdPrefix: string }): StoreOptions {
  return { historySeconds: 24 * 3600, etcd: { scope: keyPrefix(flags), ...etcdSettings(flags) } };
}
