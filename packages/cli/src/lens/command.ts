// `instar lens`: its commands, their flags and their help.
import { Command, Option } from 'commander';
import type { CheckFlags } from './check.ts';
import type { SuggestFlags } from './suggest.ts';

export function lensCommand(): Command {
  return new Command('lens')
    .description('write and check lenses: conversions between versions, as data')
    .helpOption('-h, --help', 'show help')
    .addCommand(checkLensCommand())
    .addCommand(suggestCommand());
}

function checkLensCommand(): Command {
  return new Command('check')
    .description('check a lens, and with the definition also what it loses, leaves out or cannot do')
    .argument('<file>', 'the file with the lens')
    .option('--crd <file>', 'the definition, with the schemas of all versions')
    .option('--old-crd <file>', 'an older state of it, for versions that it no longer has')
    .option('--all', 'also list what is carried over unchanged, and why required fields have values')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', '\nExit codes: 0 nothing is wrong; 1 something is; 2 it could not be checked.')
    .action(async (file: string, flags: CheckFlags) => {
      const [{ run }, { checkLens }] = await Promise.all([
        import('../exit-with-message.ts'),
        import('./check.ts'),
      ]);
      await run(() => checkLens(file, flags));
    });
}

function suggestCommand(): Command {
  return new Command('suggest')
    .description('propose a lens from the difference of two definitions, or of the versions of one')
    .argument('<old>', 'the file with the old definition')
    .argument(
      '[new]',
      'the file with the new one; without it, every version of the first is joined to the next',
    )
    .option('--from <version>', 'which version of the old definition (default: its newest)')
    .option('--to <version>', 'which version of the new definition (default: its newest)')
    .option('--name <crd>', 'which definition, if a file has several')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      '\nWhat is unsure is marked with a comment. Check the result with `instar lens check`, and prove it with `instar test`.',
    )
    .action(async (before: string, after: string | undefined, flags: SuggestFlags) => {
      const [{ run }, { suggestLens }] = await Promise.all([
        import('../exit-with-message.ts'),
        import('./suggest.ts'),
      ]);
      await run(() => suggestLens(before, after, flags));
    });
}
