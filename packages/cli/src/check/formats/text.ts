// For people: the verdict first, then each change once, what hurts people now before what a conversion must
// carry, with what breaks whom and what to do instead.
import { type FoldedFinding, foldFindings, RULES, SECTIONS, type Severity, sectionOf } from '@instar/compat';
import pc from 'picocolors';
import { type CheckedDefinition, type CheckReport, findingsOf } from '../report.ts';
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

export interface TextOptions {
  /** Every place of every change, and also what is safe. */
  readonly all: boolean;
  readonly color: boolean;
}

type Colors = ReturnType<typeof pc.createColors>;

export function asText(report: CheckReport, { all, color }: TextOptions): string {
  const colors = pc.createColors(color && pc.isColorSupported);
  const changes = foldFindings(findingsOf(report));
  const explained = new Set<string>();
  const parts = SECTIONS.map((section) => {
    const inSection = changes.filter(({ first }) => sectionOf(first) === section);
    const shown = all ? inSection : inSection.slice(0, MOST_SHOWN[section]);
    if (shown.length === 0) return '';
    return [
      colors.bold(titleOf(section, report)),
      ...shown.map((change) => changeText(change, { all, colors, explained })),
      ...hiddenLine(inSection.length - shown.length, colors),
    ].join('\n');
  });
  return `${[summary(report, changes.length, all, colors), ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

const hiddenLine = (hidden: number, colors: Colors): string[] =>
  hidden === 0
    ? []
    : [colors.dim(`  and ${hidden} more ${hidden === 1 ? 'change' : 'changes'} (--all shows them)`)];

interface Look {
  readonly all: boolean;
  readonly colors: Colors;
  /** What was said already of a rule: who is hurt, and what to do instead. */
  readonly explained: Set<string>;
}

function changeText(change: FoldedFinding, { all, colors, explained }: Look): string {
  const { first } = change;
  const { severity, rule, breaks, evidence = [], excused } = first;
  const { where, places } = placesText(change, all);
  const advice = `${whom(severity, breaks)}${first.instead ?? insteadOf(rule)}`;
  const isNew = !explained.has(advice);
  explained.add(advice);
  const converted = convertedText(first);
  const lines = [
    `  ${mark(severity, colors)} ${where === '' ? '' : `${colors.bold(where)}  `}${changedText(change)} ${colors.dim(`[${rule}]`)}`,
    ...places.map((place) => `      ${place}`),
    ...evidence.slice(0, all ? evidence.length : 1).map(({ text }) => `      ${text}`),
    ...(severity === 'safe' || !isNew || advice === '' ? [] : [`      ${colors.dim(advice)}`]),
    ...(converted === undefined ? [] : [`      ${colors.green(converted)}`]),
    ...(excused === undefined ? [] : [colors.dim(`      excused: ${excused}`)]),
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

function summary(report: CheckReport, distinct: number, all: boolean, colors: Colors): string {
  const { semver, expected, asExpected, verdict } = report;
  const paint =
    verdict === 'breaking'
      ? colors.red
      : verdict === 'compatible' || verdict === 'converted'
        ? colors.green
        : colors.yellow;
  const ending =
    expected === undefined
      ? ''
      : asExpected
        ? `, as expected (${expected})`
        : colors.red(`, but ${expected} was expected`);
  const hidden = all
    ? 0
    : findingsOf(report).filter(({ severity, excused }) => severity === 'safe' || excused !== undefined)
        .length;
  return [
    `verdict: ${colors.bold(paint(verdictText(report)))}`,
    `semver: ${semverText(semver)}${ending}`,
    `${countText(report, distinct)}${hidden === 0 ? '' : colors.dim(` (--all shows what is safe${report.definitions.some(({ findings }) => findings.some(({ excused }) => excused !== undefined)) ? ' or excused' : ''})`)}`,
    ...report.definitions.flatMap(evidenceLines),
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
