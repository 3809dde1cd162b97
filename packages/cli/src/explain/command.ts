// `instar explain`: what is behind a rule of check or lint.
import { Command } from 'commander';

export function explainCommand(): Command {
  return new Command('explain')
    .description('explain a rule of `instar check` or `instar lint`; without one, list them all')
    .argument('[rule]', 'as in field-removed')
    .helpOption('-h, --help', 'show this help')
    .action(async (rule: string | undefined) => {
      const { explain } = await import('./explain.ts');
      await explain(rule);
    });
}
