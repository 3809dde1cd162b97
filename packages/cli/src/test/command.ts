// `instar test`: is a conversion lossless? Its flags and its help.
import { Command, InvalidArgumentError, Option } from 'commander';
import type { TestFlags } from './flags.ts';

export function testCommand(): Command {
  return new Command('test')
    .description('prove a conversion with generated objects and samples: a lens, functions, or any webhook')
    .requiredOption('--crd <file>', 'the definition, with the schemas of all versions')
    .addOption(new Option('--lens <file>', 'convert by a lens').helpGroup('What is tested:'))
    .addOption(
      new Option(
        '--module <file>',
        "convert by functions: a JavaScript module that exports convert: { 'v1→v2': fn }",
      ).helpGroup('What is tested:'),
    )
    .addOption(
      new Option('--url <url>', 'convert by a webhook, in any language, through ConversionReviews').helpGroup(
        'What is tested:',
      ),
    )
    .addOption(
      new Option('--ca-file <file>', 'with --url: the CA that signed its certificate').helpGroup(
        'What is tested:',
      ),
    )
    .addOption(new Option('--insecure', 'with --url: accept any certificate').helpGroup('What is tested:'))
    .addOption(
      new Option('--review-version <version>', 'with --url: the version of the ConversionReviews')
        .choices(['v1', 'v1beta1'])
        .default('v1')
        .helpGroup('What is tested:'),
    )
    .addOption(
      new Option('--timeout <ms>', 'with --url: for each review')
        .argParser(positive)
        .default(10_000)
        .helpGroup('What is tested:'),
    )
    .option('--name <crd>', 'which definition, if the file has several')
    .option('--versions <list>', 'only these versions, separated by commas', commas)
    .option(
      '--samples <dir>',
      'the same object in several versions: v1.yaml, v2.yaml, or a folder of these for each case',
    )
    .option('--runs <n>', 'objects for each direction', whole, 1000)
    .option('--seed <n>', 'repeat an earlier run', whole)
    .option('--batch <n>', 'objects converted together', positive, 20)
    .option('--law <list>', 'only these laws, separated by commas', commas)
    .option('--skip-law <list>', 'all laws except these', commas)
    .option('--ignore-empty', 'empty lists, empty maps and nulls count as absent (for programs in Go)')
    .addOption(
      new Option('--format <format>', 'how to report').choices(['text', 'json', 'junit']).default('text'),
    )
    .option('--output <file>', 'write the report to this file')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: TestFlags) => {
      const [{ run }, { test }] = await Promise.all([import('../exit-with-message.ts'), import('./test.ts')]);
      await run(() => test(flags));
    });
}

function whole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

function positive(text: string): number {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError('It must be above 0.');
  return value;
}

const commas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const AFTER_HELP = `
Laws: converts, order, input-untouched, metadata, valid-output, same-version, determinism, round-trip, edit.
A law that is broken is shown by the smallest object that breaks it.

Exit codes: 0 all laws hold and all samples agree; 1 something does not; 2 the test could not begin.`;
