// `instar check`: its flags and its help.
import { Command, InvalidArgumentError, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { CheckFlags } from './flags.ts';

export function checkCommand(): Command {
  const command = new Command('check')
    .description('show what a change of custom resource definitions breaks, for whom, and what to do instead')
    .argument(
      '<old>',
      'the old definitions: a file, a folder, an archive, git:REV:PATH, kustomize:DIR, helm:CHART[?VALUES], kube:[NAME] or -',
    )
    .argument('<new>', 'the new definitions, likewise')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (old: string, next: string, flags: CheckFlags) => {
      const { checkAndPrint } = await import('./check.ts');
      await checkAndPrint(old, next, flags);
    });
  for (const option of options()) command.addOption(option);
  return addClusterFlags(command);
}

function options(): Option[] {
  return [
    new Option('--format <format>', 'what is printed')
      .choices(['text', 'json', 'sarif', 'markdown', 'junit'])
      .default('text'),
    new Option('-o, --output <file>', 'write there instead of standard output'),
    new Option(
      '--fail-on <severity>',
      'the exit code is 1 from this severity on (default: breaking; with --expect: never)',
    ).choices(['breaking', 'unsure', 'caution', 'never']),
    new Option('--expect <bump>', 'the exit code is 1 if the change needs more than this').choices([
      'none',
      'patch',
      'minor',
      'major',
    ]),
    new Option(
      '--exceptions <file>',
      'findings that were reviewed and accepted, with a reason and an expiry',
    ),
    new Option('--baseline <file>', 'known findings: only others count'),
    new Option('--write-baseline <file>', 'write the findings as a baseline'),
    new Option(
      '--objects <source>',
      'validate real objects against the new schema: a file, a folder or kube:',
    ),
    new Option('--lens <file>', 'run this lens as the conversion between versions').conflicts('webhook'),
    new Option('--webhook <url>', 'run the conversion webhook at this URL'),
    new Option('--ca-file <file>', 'the CA of --webhook'),
    new Option('--insecure', 'do not verify the certificate of --webhook'),
    new Option('--generate <n>', 'how many objects to generate for each version; 0: none')
      .default(20)
      .argParser(count),
    new Option('--crd <name>', 'only this definition'),
    new Option(
      '--converted-by-webhook <crd>',
      'a definition whose objects a webhook converts, although no file says so; * for all; may be repeated',
    ).argParser(collect),
    new Option(
      '--open-enum <path>',
      'an enum that is open for new values; * for all; may be repeated',
    ).argParser(collect),
    new Option('--no-served-versions', 'do not compare versions that are served side by side'),
    new Option('--all', 'also print what is safe'),
    new Option('--no-color', 'no colors'),
  ];
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new InvalidArgumentError('Must be a whole number.');
}

function collect(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, path];
}

const AFTER_HELP = `
Exit codes: 0 nothing that counts was found, 1 something was (see --fail-on and --expect), 2 it could not be checked.
instar explain RULE tells what is behind a rule, instar explain lists them.

Examples:
  instar check git:origin/main:config/crd config/crd             what does this branch break?
  instar check git:v1.2.0:config/crd kustomize:config/default    with the webhooks that kustomize adds
  instar check kube: config/crd --objects kube:                  what would applying it to the cluster break?
  instar check old.yaml new.yaml --lens widgets.lens.yaml        is what breaks converted without loss?
  instar check git:v1.2.0:crds crds --expect patch --format markdown`;
