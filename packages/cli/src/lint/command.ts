// `instar lint`: its flags and its help.
import { Command, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { LintFlags } from './lint.ts';

export function lintCommand(): Command {
  const command = new Command('lint')
    .description(
      'advise on custom resource definitions: what will be hard to change later, or surprises users',
    )
    .argument('<source...>', 'a file, a folder, git:REV:PATH, kube:[NAME] or - for standard input')
    .addOption(
      new Option('--profile <profile>', 'which advice counts')
        .choices(['default', 'gateway-api', 'strict'])
        .default('default'),
    )
    .addOption(
      new Option('--disable <rules>', 'rules to leave out, separated by commas').argParser((text) =>
        text.split(','),
      ),
    )
    .addOption(
      new Option(
        '--exceptions <file>',
        'advice that was reviewed and declined, with a reason and an expiry, as for instar check',
      ),
    )
    .addOption(
      new Option('--format <format>', 'what is printed').choices(['text', 'json', 'sarif']).default('text'),
    )
    .addOption(
      new Option('--fail-on <severity>', 'the exit code is 1 from this severity on')
        .choices(['error', 'warning', 'info', 'never'])
        .default('error'),
    )
    .addOption(new Option('--no-color', 'no colors'))
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (sources: string[], flags: LintFlags) => {
      const { lintAndPrint } = await import('./lint.ts');
      await lintAndPrint(sources, flags);
    });
  return addClusterFlags(command);
}

const AFTER_HELP = `
Profiles: default is for every project; gateway-api follows the versioning guidelines of Gateway API (no conversion webhooks, unknown fields are
kept); strict takes all advice seriously. instar explain RULE tells what is behind a rule.
Exit codes: 0 nothing that counts was found, 1 something was (see --fail-on), 2 it could not be checked.`;
