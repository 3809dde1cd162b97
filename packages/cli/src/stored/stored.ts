// Reads what is stored and prints it.
import { printStored, readDefinition, readStored } from '@instar/migrate';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { run } from '../exit-with-message.ts';

export interface StoredFlags extends ClusterFlags {
  readonly output: 'text' | 'json';
  readonly conversions?: boolean;
  readonly to?: string;
}

export function stored(crd: string, flags: StoredFlags): Promise<void> {
  return run(async () => {
    const api = await openCluster(flags, 'instar-stored');
    try {
      const found = await readStored(
        api,
        await readDefinition(api, crd),
        flags.conversions ? { conversions: flags.to === undefined ? {} : { to: flags.to } } : {},
      );
      process.stdout.write(
        flags.output === 'json' ? `${JSON.stringify(found, undefined, 2)}\n` : printStored(found),
      );
      return 0;
    } finally {
      await api.close();
    }
  });
}
