// `instar retire`: what still needs a version, and the way to its end, step by step.
import { Command, InvalidArgumentError, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { RetireFlags } from './retire.ts';

export function retireCommand(): Command {
  const command = new Command('retire')
    .description('tell what still needs a version of a custom resource, and remove it step by step')
    .argument('<crd>', 'the definition: crontabs.stable.example.com, or just crontabs')
    .argument('<version>', 'the version that is to go')
    .option('--to <version>', 'the version that takes its place (default: that of storage, or the newest)')
    .option('--do', 'take the steps that can be taken, asking before each')
    .option('--undo', 'take back the last step that was taken')
    .option('-y, --yes', 'do not ask')
    .option('--ignore-clients', 'do not wait for clients that still use it')
    .addOption(
      new Option('--quiet-for <duration>', 'a client that was not seen for so long counts as gone')
        .default(86_400_000, '24h')
        .argParser(duration),
    )
    .option('--watch', 'show it live')
    .option('--journal <file>', 'where to keep what was done (default: .instar-retire-CRD-VERSION.json)')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (crd: string, version: string, flags: RetireFlags) => {
      const { retire } = await import('./retire.ts');
      await retire(crd, version, flags);
    });
  return addClusterFlags(command);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function duration(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be like 30s, 10m, 24h or 7d.');
  return Number(match[1]) * UNITS[match[2]!]!;
}

const AFTER_HELP = `
Without --do nothing is changed. Exit codes: 0 the version is gone; 1 something is left to do; 2 it could not begin.`;
