// Copies a storage. After a failure it can be resumed; if the source has changed since, it starts over with
// --force.
import { fillStore, snapshotOf } from '@instar/store/backup';
import type { EtcdFlags } from '../serve/flags.ts';
import { eventTtl } from '../storage/event-ttl.ts';
import { openSource, openStorage } from '../storage/open-storage.ts';
import { progressOf, reported, say } from '../storage/report.ts';
import { keyPrefix, storeOptions } from '../storage/storage-flags.ts';

export interface CopyFlags extends EtcdFlags {
  readonly etcdPrefix: string;
  readonly eventTtl: number;
  readonly force?: boolean;
}

export function copyStore(from: string, to: string, flags: CopyFlags): Promise<void> {
  return reported(flags, async () => {
    const prefix = keyPrefix(flags);
    const source = await openSource(
      from,
      storeOptions(flags),
      'the first argument must say where to copy from',
    );
    try {
      const target = await openStorage(to, storeOptions(flags));
      try {
        const snapshot = await snapshotOf(source, prefix);
        const filled = await fillStore(target, snapshot, {
          id: `${from}@${snapshot.revision}`,
          prefix,
          force: flags.force === true,
          ttlSecondsOf: eventTtl(prefix, flags.eventTtl / 1000),
          onProgress: progressOf('copied'),
        });
        say(
          `${filled.entries} entries copied; ${from} is at revision ${snapshot.revision}, ${to} at ${filled.revision}`,
        );
        say(
          'watching clients will list again, because resource versions continue after those of the old storage',
        );
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  });
}
