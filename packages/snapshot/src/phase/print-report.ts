// Prints a report as text. Colors are up to the caller.
import type { FindingLevel, PhaseFinding } from './finding.ts';
import type { PhaseReport } from './report.ts';

const WIDTH = 9;

export type Paint = (level: FindingLevel, text: string) => string;

/** The report about the phase as text. */
export function printReport(report: PhaseReport, paint: Paint = (_, text) => text): string {
  const head =
    report.phase === 0 ? `phase 0: ${report.title}` : `phase ${report.phase} of 3: ${report.title}`;
  return [
    head,
    ...nextLines(report),
    '',
    ...report.findings.flatMap((finding) => findingLines(finding, paint)),
    '',
  ].join('\n');
}

function nextLines({ next, safe }: PhaseReport): string[] {
  if (next === undefined) return [safe ? 'all is done' : 'not finished yet'];
  return [`on to phase ${next.phase} (${next.title}): ${safe ? 'safe' : 'not yet'}`];
}

function findingLines({ level, text, todo, examples = [] }: PhaseFinding, paint: Paint): string[] {
  const margin = ' '.repeat(WIDTH);
  return [
    `${paint(level, level.padEnd(WIDTH))}${text}`,
    ...examples.map((example) => `${margin}  ${example}`),
    ...(todo === undefined ? [] : [`${margin}→ ${todo}`]),
  ];
}
