// `instar snapshot-labeller`: its flags and its help.
import { Command, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import { duration, port } from '../serve/flag-values.ts';
import { addLogFlags } from '../snapshot/log-flags.ts';
import type { SnapshotLabellerFlags } from './labeller.ts';

export function snapshotLabellerCommand(): Command {
  const command = new Command('snapshot-labeller')
    .description('keep a label on exactly those snapshots and contents that fail strict validation')
    .option('--namespace <name>', "where its Lease and its record are (default: the pod's, or the context's)")
    .option('--name <name>', 'of the Lease and of the ConfigMap with the record', 'instar-snapshot-labeller')
    .option('--identity <text>', 'the name of this replica (default: host name and a random part)')
    .addOption(
      new Option('--resync <duration>', 'how often every object is checked again')
        .default(86_400_000, '24h')
        .argParser(duration),
    )
    .addOption(
      new Option('--lease-duration <duration>', 'how long others wait for a silent leader')
        .default(15_000, '15s')
        .argParser(duration),
    )
    .addOption(
      new Option('--health-port <n>', 'the port of /healthz and /metrics; 0 picks a free one')
        .default(8080)
        .argParser(port),
    )
    .option('--health-address <address>', 'the address of /healthz and /metrics (default: all)')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: SnapshotLabellerFlags) => {
      const { snapshotLabeller } = await import('./labeller.ts');
      await snapshotLabeller(flags);
    });
  return addLogFlags(addClusterFlags(command));
}

const AFTER_HELP = `
Labels: snapshot.storage.kubernetes.io/invalid-snapshot-resource on VolumeSnapshots,
        snapshot.storage.kubernetes.io/invalid-snapshot-content-resource on VolumeSnapshotContents.
Run as many as you like: one works, the others wait to take over.
When it is up it prints one line on standard output:
  ready http://ADDRESS:PORT`;
