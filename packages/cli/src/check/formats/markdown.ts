// For comments on pull requests.
import { type FoldedFinding, foldFindings, SECTIONS, type Section, sectionOf } from '@instar/compat';
import { type CheckReport, findingsOf } from '../report.ts';
import {
  changedText,
  convertedText,
  countText,
  MOST_SHOWN,
  placesText,
  semverText,
  titleOf,
  verdictText,
} from './words.ts';

const SIGNS = { breaking: '🔴', unsure: '🟣', caution: '🟡', safe: '🟢' } as const;

export function asMarkdown(report: CheckReport, all: boolean): string {
  const changes = foldFindings(findingsOf(report));
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
    `${countText(report, changes.length)}.`,
  ];
  const parts = SECTIONS.flatMap((section) => sectionPart(section, changes, report, all));
  return `${[...head, ...parts].join('\n')}\n`;
}

function sectionPart(
  section: Section,
  changes: readonly FoldedFinding[],
  report: CheckReport,
  all: boolean,
): string[] {
  const inSection = changes.filter(({ first }) => sectionOf(first) === section);
  const shown = all ? inSection : inSection.slice(0, MOST_SHOWN[section]);
  if (shown.length === 0) return [];
  const hidden = inSection.length - shown.length;
  return [
    '',
    `### ${titleOf(section, report)}`,
    '',
    '| | Where | What | Rule |',
    '| --- | --- | --- | --- |',
    ...shown.map((change) => row(change, all)),
    ...(hidden > 0
      ? ['', `and ${hidden} more ${hidden === 1 ? 'change' : 'changes'} (\`--all\` shows them)`]
      : []),
  ];
}

function row(change: FoldedFinding, all: boolean): string {
  const { severity, evidence = [], instead, rule, excused } = change.first;
  const { where, places } = placesText(change, all);
  const converted = convertedText(change.first);
  const notes = [
    ...places,
    ...evidence.slice(0, all ? evidence.length : 1).map(({ text }) => text),
    ...(converted === undefined ? [] : [`**${converted}**`]),
    ...(excused === undefined ? [] : [`excused: ${excused}`]),
    ...(instead === undefined ? [] : [`_${instead}_`]),
  ];
  const cells = [
    `${SIGNS[severity]} ${severity}`,
    where === '' ? '' : `\`${where}\``,
    [changedText(change), ...notes].join('<br>'),
    `\`${rule}\``,
  ];
  return `| ${cells.map(escaped).join(' | ')} |`;
}

const escaped = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ');
