// For people: by definition and version, worst first, with what breaks whom and what to do instead, and a
// summary.
import { type Finding, RULES, type Severity } from '@instar/compat';
import pc from 'picocolors';
import type { CheckedDefinition, CheckReport } from '../report.ts';
import { convertedText, countText, semverText, verdictText, versionText } from './words.ts';

export interface TextOptions {
  /** Also what is safe. */
  readonly all: boolean;
  readonly color: boolean;
}

type Colors = ReturnType<typeof pc.createColors>;

export function asText(report: CheckReport, { all, color }: TextOptions): string {
  const colors = pc.createColors(color && pc.isColorSupported);
  const parts = report.definitions
    .map((definition) => definitionText(definition, all, colors))
    .filter((part) => part !== '');
  return `${[...parts, summary(report, colors)].join('\n\n')}\n`;
}

function definitionText(definition: CheckedDefinition, all: boolean, colors: Colors): string {
  const shown = definition.findings.filter(
    ({ severity, excused }) => all || (severity !== 'safe' && excused === undefined),
  );
  const hidden = definition.findings.length - shown.length;
  if (shown.length === 0) return '';
  const versions = [...new Set(shown.map(versionText))];
  const head = colors.bold(`${definition.kind} (${definition.crd})`);
  const groups = versions.map((version) =>
    versionGroup(
      version,
      shown.filter((finding) => versionText(finding) === version),
      colors,
    ),
  );
  const rest =
    hidden > 0
      ? [colors.dim(`  and ${hidden} that ${hidden === 1 ? 'is' : 'are'} safe or excused (--all shows them)`)]
      : [];
  return [head, ...groups, ...rest].join('\n');
}

function versionGroup(version: string, findings: readonly Finding[], colors: Colors): string {
  return [`  ${colors.underline(version)}`, ...findings.map((finding) => findingText(finding, colors))].join(
    '\n',
  );
}

function findingText(finding: Finding, colors: Colors): string {
  const { severity, rule, path, message, breaks, instead, evidence = [], excused } = finding;
  const where = path === undefined || path === '' ? '' : `${colors.bold(path)}  `;
  const converted = convertedText(finding);
  const lines = [
    `    ${mark(severity, colors)} ${where}${message} ${colors.dim(`[${rule}]`)}`,
    ...evidence.map(({ text }) => `        ${text}`),
    ...(severity === 'safe'
      ? []
      : [`        ${whom(severity, breaks)}${colors.dim(instead ?? insteadOf(rule))}`]),
    ...(converted === undefined ? [] : [`        ${colors.green(converted)}`]),
    ...(excused === undefined ? [] : [colors.dim(`        excused: ${excused}`)]),
  ];
  return lines.join('\n');
}

function whom(severity: Severity, breaks: readonly string[]): string {
  if (breaks.length === 0) return '';
  return `${severity === 'breaking' ? 'Breaks' : 'May concern'} ${breaks.join(', ')}. `;
}

const insteadOf = (id: string): string => RULES.find((rule) => rule.id === id)?.instead ?? '';

function mark(severity: Severity, colors: Colors): string {
  const paint = {
    breaking: colors.red,
    unsure: colors.magenta,
    caution: colors.yellow,
    safe: colors.green,
  }[severity];
  return paint(severity.padEnd(8));
}

function summary(report: CheckReport, colors: Colors): string {
  const { definitions, semver, expected, asExpected, verdict } = report;
  const paint =
    verdict === 'breaking'
      ? colors.red
      : verdict === 'compatible' || verdict === 'converted'
        ? colors.green
        : colors.yellow;
  return [
    `${definitions.length} ${definitions.length === 1 ? 'definition' : 'definitions'}: ${countText(report)}`,
    ...definitions.flatMap(evidenceLines),
    `verdict: ${colors.bold(paint(verdictText(report)))}`,
    `semver: ${semverText(semver)}${expected === undefined ? '' : asExpected ? `, as expected (${expected})` : colors.red(`, but ${expected} was expected`)}`,
    ...report.expiredExceptions.map(({ rule, path, expires }) =>
      colors.yellow(`exception expired on ${expires}: ${rule}${path === undefined ? '' : ` at ${path}`}`),
    ),
    ...report.unusedExceptions.map(({ rule, path }) =>
      colors.yellow(
        `exception no longer matches anything: ${rule}${path === undefined ? '' : ` at ${path}`}`,
      ),
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
