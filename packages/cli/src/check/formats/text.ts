// For people: by definition and version, worst first, with what breaks whom and what to do instead, and a
// summary.
import { type Finding, RULES, type Severity } from '@instar/compat';
import pc from 'picocolors';
import type { CheckedDefinition, CheckReport } from '../report.ts';
import { convertedText, countText, semverText, verdictText, versionText } from './words.ts';

export interface TextOptions {
  /** What is safe too. */
  readonly all: boolean;
  readonly color: boolean;
}

type Colours = ReturnType<typeof pc.createColors>;

export function asText(report: CheckReport, { all, color }: TextOptions): string {
  const colours = pc.createColors(color && pc.isColorSupported);
  const parts = report.definitions
    .map((definition) => definitionText(definition, all, colours))
    .filter((part) => part !== '');
  return `${[...parts, summary(report, colours)].join('\n\n')}\n`;
}

function definitionText(definition: CheckedDefinition, all: boolean, colours: Colours): string {
  const shown = definition.findings.filter(
    ({ severity, excused }) => all || (severity !== 'safe' && excused === undefined),
  );
  const hidden = definition.findings.length - shown.length;
  if (shown.length === 0) return '';
  const versions = [...new Set(shown.map(versionText))];
  const head = colours.bold(`${definition.kind} (${definition.crd})`);
  const groups = versions.map((version) =>
    versionGroup(
      version,
      shown.filter((finding) => versionText(finding) === version),
      colours,
    ),
  );
  const rest =
    hidden > 0
      ? [
          colours.dim(
            `  and ${hidden} that ${hidden === 1 ? 'is' : 'are'} safe or excused (--all shows them)`,
          ),
        ]
      : [];
  return [head, ...groups, ...rest].join('\n');
}

function versionGroup(version: string, findings: readonly Finding[], colours: Colours): string {
  return [
    `  ${colours.underline(version)}`,
    ...findings.map((finding) => findingText(finding, colours)),
  ].join('\n');
}

function findingText(finding: Finding, colours: Colours): string {
  const { severity, rule, path, message, breaks, instead, evidence = [], excused } = finding;
  const where = path === undefined || path === '' ? '' : `${colours.bold(path)}  `;
  const converted = convertedText(finding);
  const lines = [
    `    ${mark(severity, colours)} ${where}${message} ${colours.dim(`[${rule}]`)}`,
    ...evidence.map(({ text }) => `        ${text}`),
    ...(severity === 'safe'
      ? []
      : [`        ${whom(severity, breaks)}${colours.dim(instead ?? insteadOf(rule))}`]),
    ...(converted === undefined ? [] : [`        ${colours.green(converted)}`]),
    ...(excused === undefined ? [] : [colours.dim(`        excused: ${excused}`)]),
  ];
  return lines.join('\n');
}

function whom(severity: Severity, breaks: readonly string[]): string {
  if (breaks.length === 0) return '';
  return `${severity === 'breaking' ? 'Breaks' : 'May concern'} ${breaks.join(', ')}. `;
}

const insteadOf = (id: string): string => RULES.find((rule) => rule.id === id)?.instead ?? '';

function mark(severity: Severity, colours: Colours): string {
  const paint = {
    breaking: colours.red,
    unsure: colours.magenta,
    caution: colours.yellow,
    safe: colours.green,
  }[severity];
  return paint(severity.padEnd(8));
}

function summary(report: CheckReport, colours: Colours): string {
  const { definitions, semver, expected, asExpected, verdict } = report;
  const paint =
    verdict === 'breaking'
      ? colours.red
      : verdict === 'compatible' || verdict === 'converted'
        ? colours.green
        : colours.yellow;
  return [
    `${definitions.length} ${definitions.length === 1 ? 'definition' : 'definitions'}: ${countText(report)}`,
    ...definitions.flatMap(evidenceLines),
    `verdict: ${colours.bold(paint(verdictText(report)))}`,
    `semver: ${semverText(semver)}${expected === undefined ? '' : asExpected ? `, as expected (${expected})` : colours.red(`, but ${expected} was expected`)}`,
    ...report.expiredExceptions.map(({ rule, path, expires }) =>
      colours.yellow(`exception expired on ${expires}: ${rule}${path === undefined ? '' : ` at ${path}`}`),
    ),
    ...report.unusedExceptions.map(({ rule, path }) =>
      colours.yellow(`exception excuses nothing any more: ${rule}${path === undefined ? '' : ` at ${path}`}`),
    ),
  ].join('\n');
}

function evidenceLines({ crd, executed, objects, conversion }: CheckedDefinition): string[] {
  const tried = executed.reduce((sum, { required, richer }) => sum + required.tried + richer.tried, 0);
  const same = executed.reduce(
    (sum, { required, richer }) => sum + required.tried + richer.tried - bad(required) - bad(richer),
    0,
  );
  return [
    ...(tried > 0 && same < tried
      ? [`${crd}: ${same} of ${tried} generated objects are the same after going through the old version`]
      : []),
    ...(objects === undefined
      ? []
      : [
          `${crd}: ${objects.checked} objects checked, ${objects.invalid} not valid any more, ${objects.pruned} lose fields, ${objects.invalidBefore} were not valid before`,
        ]),
    ...(conversion === undefined
      ? []
      : [`${crd}: ${conversion.lossless} of ${conversion.total} conversions there and back lost nothing`]),
  ];
}

const bad = ({ refused, changed }: { refused: number; changed: number }): number => refused + changed;
