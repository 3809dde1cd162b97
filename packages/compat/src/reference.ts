// All rules as one page: docs/reference/check-rules.md is generated from it.
import type { LintRule } from './lint/lint-rule.ts';
import { LINT_RULES } from './lint/rules/index.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules/index.ts';

/** Markdown. */
export function rulesReference(): string {
  return `${[HEAD, '## Rules of `instar check`', ...RULES.map(ofRule), '## Rules of `instar lint`', ...LINT_RULES.map(ofLintRule)].join('\n\n')}\n`;
}

const HEAD = `# Rules

Generated from the rules; \`instar explain RULE\` shows each with its examples as YAML. The severity is the worst that a rule reports.

| severity | means |
| --- | --- |
| breaking | a client that was correct before is broken now |
| unsure | the change might be breaking, and the check cannot decide |
| caution | harmless for most, but it cannot be undone, or some clients notice |
| safe | no client is broken |`;

function ofRule(rule: Rule): string {
  const { id, title, severity, breaks, explanation, instead } = rule;
  const examples =
    rule.kind === 'reported'
      ? []
      : rule.examples.map(
          (one) => `- ${one.title}: ${one.severity === 'none' ? 'not reported' : one.severity}`,
        );
  const whom = breaks.length > 0 ? ` Concerns ${breaks.join(', ')}.` : '';
  return [
    `### ${id}`,
    `${title}: **${severity}**.${whom}${rule.fundamental === true ? ' A major version.' : ''}`,
    explanation,
    `Instead: ${instead}`,
    ...(examples.length > 0 ? [examples.join('\n')] : []),
  ].join('\n\n');
}

function ofLintRule({ id, title, explanation, instead, profiles }: LintRule): string {
  const where = Object.entries(profiles).map(([profile, severity]) => `${profile}: ${severity}`);
  return [`### ${id}`, `${title}. ${where.join(', ')}.`, explanation, `Instead: ${instead}`].join('\n\n');
}
