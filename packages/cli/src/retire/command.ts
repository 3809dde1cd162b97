// `instar retire`: what still needs a version, and its removal step by step.
import { Command, InvalidArgumentError, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { RetireFlags } from './retire.ts';

export function retireCommand(): Command {
  const command = new Command('retire')
    .description('show what still needs a version of a custom resource, and remove it step by step')
    .argument('<crd>', 'the definition: crontabs.stable.example.com, or just crontabs')
    .argument('<version>', 'the version to retire')
    .option('--to <version>', 'the version that replaces it (default: the storage version, or the newest)')
    .option('--do', 'take the steps that are possible, asking before each')
    .option('--undo', 'undo the last step')
    .option('-y, --yes', 'do not ask')
    .option('--ignore-clients', 'do not wait for clients that still use it')
    .addOption(
      new Option('--quiet-for <duration>', 'a client that was not seen for so long counts as gone')
        .default(86_400_000, '24h')
        .argParser(duration),
    )
    .option('--watch', 'show it live')
    .option('--journal <file>', 'the file for the journal (default: .instar-retire-CRD-VERSION.json)')
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
