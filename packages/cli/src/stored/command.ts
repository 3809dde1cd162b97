// `instar stored`: the versions in which the objects of a definition are really stored.
import { Command, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { StoredFlags } from './stored.ts';

export function storedCommand(): Command {
  const command = new Command('stored')
    .description('show in which versions the objects of a custom resource are really stored')
    .argument('<crd>', 'the definition: crontabs.stable.example.com, or just crontabs')
    .option('--conversions', 'try to convert all objects to the storage version, and list those that fail')
    .option('--to <version>', 'with --conversions: to this version')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (crd: string, flags: StoredFlags) => {
      const { stored } = await import('./stored.ts');
      await stored(crd, flags);
    });
  return addClusterFlags(command);
}

const AFTER_HELP = `
An Instar server keeps count, so that the answer costs nothing. Other servers do not tell; then the command says what can be inferred.
The same count: kubectl get storedversions, and instar_stored_objects among the metrics.`;
