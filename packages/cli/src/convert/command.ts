// `instar convert`: its flags and its help.
import { Command, Option } from 'commander';
import type { ConvertFlags } from './convert.ts';

export function convertCommand(): Command {
  return new Command('convert')
    .description('convert objects to another version by a lens, without a server')
    .requiredOption('-f, --filename <file>', 'the objects, as YAML or JSON; - for standard input')
    .requiredOption('--to <version>', 'the target version')
    .requiredOption('--lens <file>', 'the lens')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'))
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: ConvertFlags) => {
      const [{ run }, { convert }] = await Promise.all([
        import('../exit-with-message.ts'),
        import('./convert.ts'),
      ]);
      await run(() => convert(flags));
    });
}

const AFTER_HELP = `
What the wanted version cannot hold is kept in the annotation lens.instar.dev/stash, and comes back when the object is converted back.
Exit codes: 0 all objects are converted; 1 some could not be; 2 it could not begin.`;
