// Rules in words: for `instar explain` and for the reference in docs, which has the same text.
import { type JsonValue, printYaml } from '@instar/machinery';
import type { LintRule } from './lint/lint-rule.ts';
import type { Rule } from './rule.ts';

/** Markdown. */
export function explainRule(rule: Rule): string {
  const { id, title, severity, breaks, explanation, instead } = rule;
  const head = [
    `## ${id}`,
    '',
    `${title}. At worst: **${severity}**${breaks.length > 0 ? `; breaks ${breaks.join(', ')}` : ''}.`,
  ];
  return `${[...head, '', explanation, '', `Instead: ${instead}`, ...examplesOf(rule)].join('\n')}\n`;
}

function examplesOf(rule: Rule): string[] {
  if (rule.kind === 'reported') return [];
  return rule.examples.flatMap(({ title, severity, old, new: next }) => [
    '',
    `- ${title}: ${severity === 'none' ? 'not reported' : severity}`,
    '',
    ...diff(old, next),
  ]);
}

/** The lines of both sides, those that differ marked. */
function diff(old: object, next: object): string[] {
  const [was, is] = [old, next].map((one) =>
    printYaml(one as JsonValue)
      .trimEnd()
      .split('\n'),
  ) as [string[], string[]];
  let start = 0;
  while (start < was.length && was[start] === is[start]) start++;
  let end = 0;
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const common = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return [
    '```diff',
    ...common(was.slice(0, start)),
    ...was.slice(start, was.length - end).map((line) => `- ${line}`),
    ...is.slice(start, is.length - end).map((line) => `+ ${line}`),
    ...common(was.slice(was.length - end)),
    '```',
  ];
}

/** Markdown. */
export function explainLintRule({ id, title, explanation, instead, profiles }: LintRule): string {
  const where = Object.entries(profiles).map(([profile, severity]) => `${profile} (${severity})`);
  return `${[`## ${id}`, '', `${title}. Profiles: ${where.join(', ')}.`, '', explanation, '', `Instead: ${instead}`].join('\n')}\n`;
}
