// For comments on pull requests.
import type { Finding } from '@instar/compat';
import type { CheckedDefinition, CheckReport } from '../report.ts';
import { convertedText, countText, semverText, verdictText, versionText } from './words.ts';

const SIGNS = { breaking: '🔴', unsure: '🟣', caution: '🟡', safe: '🟢' } as const;

export function asMarkdown(report: CheckReport, all: boolean): string {
  const expectation =
    report.expected === undefined
      ? []
      : [
          report.asExpected
            ? `As expected: ${report.expected}.`
            : `**More than expected: ${report.expected}.**`,
        ];
  const head = [
    `## API check: ${verdictText(report)}`,
    '',
    `Needs ${semverText(report.semver)}.`,
    ...expectation,
    '',
    `${countText(report)}.`,
  ];
  const parts = report.definitions.flatMap((definition) => definitionPart(definition, all));
  return `${[...head, ...parts].join('\n')}\n`;
}

function definitionPart({ kind, crd, findings }: CheckedDefinition, all: boolean): string[] {
  const shown = findings.filter(
    ({ severity, excused }) => all || (severity !== 'safe' && excused === undefined),
  );
  if (shown.length === 0) return [];
  return [
    '',
    `### ${kind} (\`${crd}\`)`,
    '',
    '| | Version | Field | What | Rule |',
    '| --- | --- | --- | --- | --- |',
    ...shown.map(row),
  ];
}

function row(finding: Finding): string {
  const { severity, path, message, evidence = [], instead, rule, excused } = finding;
  const converted = convertedText(finding);
  const notes = [
    ...evidence.map(({ text }) => text),
    ...(converted === undefined ? [] : [`**${converted}**`]),
    ...(excused === undefined ? [] : [`excused: ${excused}`]),
    ...(instead === undefined ? [] : [`_${instead}_`]),
  ];
  const cells = [
    `${SIGNS[severity]} ${severity}`,
    versionText(finding),
    path ? `\`${path}\`` : '',
    [message, ...notes].join('<br>'),
    `\`${rule}\``,
  ];
  return `| ${cells.map(escaped).join(' | ')} |`;
}

const escaped = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ');
