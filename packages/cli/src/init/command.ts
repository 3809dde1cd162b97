// `instar init`: a project for a conversion, ready to be tested and deployed. Its flags and its help.
import { Command, Option } from 'commander';
import type { InitFlags } from './answers.ts';

export function initCommand(): Command {
  return new Command('init')
    .description(
      'start a project for a conversion: definition, lens or functions, samples, tests, image, manifests, CI',
    )
    .argument('[dir]', 'where; it is created if it does not exist', '.')
    .option('--crd <file>', 'start from this definition rather than from an example')
    .option('--name <crd>', 'which definition, if the file has several')
    .addOption(
      new Option('--style <style>', 'a lens is data, functions are JavaScript').choices([
        'lens',
        'functions',
      ]),
    )
    .option('--group <group>', 'of the example')
    .option('--kind <kind>', 'of the example')
    .option('--image <image>', 'the name of the container image')
    .option('-y, --yes', 'ask nothing: use the defaults for everything that no flag sets')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', '\nExisting files are never touched: nothing is written if one of them exists.')
    .action(async (dir: string, flags: InitFlags) => {
      const [{ run }, { init }] = await Promise.all([import('../exit-with-message.ts'), import('./init.ts')]);
      await run(() => init(dir, flags));
    });
}
