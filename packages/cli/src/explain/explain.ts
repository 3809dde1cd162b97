// Prints a rule with its reasons and examples, or the list of all.
import { explainLintRule, explainRule, LINT_RULES, lintRuleNamed, RULES, ruleNamed } from '@instar/compat';
import { CommandFailure, run } from '../exit-with-message.ts';

export function explain(id: string | undefined): Promise<void> {
  return run(async () => {
    process.stdout.write(id === undefined ? list() : explanation(id));
    return 0;
  });
}

function explanation(id: string): string {
  const rule = ruleNamed(id);
  if (rule !== undefined) return explainRule(rule);
  const lintRule = lintRuleNamed(id);
  if (lintRule !== undefined) return explainLintRule(lintRule);
  throw new CommandFailure(`there is no rule ${id}; instar explain lists them`, 2);
}

function list(): string {
  const line = (id: string, severity: string, title: string): string =>
    `  ${id.padEnd(32)} ${severity.padEnd(9)} ${title}`;
  return [
    'Rules of instar check, with the worst that they report:',
    ...RULES.map(({ id, severity, title }) => line(id, severity, title)),
    '',
    'Rules of instar lint, with their profiles:',
    ...LINT_RULES.map(({ id, title, profiles }) =>
      line(
        id,
        '',
        `${title} (${Object.entries(profiles)
          .map((pair) => pair.join(': '))
          .join(', ')})`,
      ),
    ),
    '',
  ].join('\n');
}
