// `instar snapshot`: commands for volume snapshots that are not long-running. So far: `phase`.
import { Command, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import { duration } from '../serve/flag-values.ts';
import { namespacedName } from './namespaced-name.ts';
import type { PhaseFlags } from './phase.ts';

export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('tighten the validation of volume snapshots, following KEP-1900')
    .helpOption('-h, --help', 'show this help')
    .addCommand(phaseCommand());
}

function phaseCommand(): Command {
  const command = new Command('phase')
    .description('show in which of the three phases a cluster is, and whether it is safe to continue')
    .addOption(
      new Option('--labeller <namespace/name>', 'the Lease and ConfigMap of the labeller')
        .default(
          { namespace: 'snapshot-system', name: 'instar-snapshot-labeller' },
          'snapshot-system/instar-snapshot-labeller',
        )
        .argParser(namespacedName),
    )
    .addOption(
      new Option('--wait <duration>', 'how long no object may have been invalid')
        .default(172_800_000, '48h')
        .argParser(duration),
    )
    .option(
      '--probe-namespace <name>',
      "where an invalid snapshot is tried in a dry run (default: the context's namespace)",
    )
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .option('--check', 'exit with 1 if it is not safe to continue')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: PhaseFlags) => {
      const { phase } = await import('./phase.ts');
      await phase(flags);
    });
  return addClusterFlags(command);
}

const AFTER_HELP = `
Every object is looked at by the webhook's own rules, whether it is labeled or not, and an invalid one is tried in a dry run.
Nothing is changed.

Exit codes: 0; 1 with --check if it is not safe to go on; 2 the cluster cannot be read.`;
