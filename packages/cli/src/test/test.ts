// Runs `instar test`: loads what is needed, runs the proof, and reports.
import { checkSamples, LAWS, type LawName, prove } from '@instar/lens/proof';
import { CommandFailure } from '../exit-with-message.ts';
import { writeOutput } from '../write-output.ts';
import type { TestFlags } from './flags.ts';
import { loadDefinition } from './load-definition.ts';
import { loadSamples } from './load-samples.ts';
import { ProgressLine } from './progress-line.ts';
import { jsonReport } from './report/json.ts';
import { junitReport } from './report/junit.ts';
import { isGood, type TestReport } from './report/report.ts';
import { textReport } from './report/text.ts';
import { chooseTarget } from './targets/choose-target.ts';
import type { Target } from './targets/target.ts';

/** Conversions spent on making one example small: fewer where each is a call over the network. */
const SHRINK_CHECKS = 4000;
const SHRINK_CHECKS_BY_WIRE = 600;

/** The exit code. */
export async function test(flags: TestFlags): Promise<number> {
  const report = await reportOf(flags);
  const text = printed(report, flags);
  if (flags.output === undefined) process.stdout.write(text);
  else await writeOutput(flags.output, text, '--output');
  return isGood(report) ? 0 : 1;
}

async function reportOf(flags: TestFlags): Promise<TestReport> {
  refuseUnknownLaws(flags);
  const definition = await loadDefinition(flags.crd, flags);
  const cases = flags.samples === undefined ? [] : await loadSamples(flags.samples, definition);
  const target = await chooseTarget(flags, definition);
  const progress = new ProgressLine(process.stderr);
  const started = performance.now();
  const { ignoreEmpty = false, runs, batch, seed } = flags;
  try {
    const samples = await checkSamples(target.convert, definition.versions, cases, { ignoreEmpty });
    const proof = await prove(target.convert, definition.versions, {
      runs,
      batch,
      ignoreEmpty,
      laws: lawsOf(flags, target),
      mostShrinkChecks: target.isInProcess ? SHRINK_CHECKS : SHRINK_CHECKS_BY_WIRE,
      samples: cases.flatMap(({ objects }) => objects),
      progress: (at) => progress.show(at),
      ...(seed !== undefined && { seed }),
    });
    return {
      definition,
      target: target.description,
      proof,
      samples,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    progress.end();
    target.close();
  }
}

const NAMES = LAWS.map(({ name }) => name as string);

function refuseUnknownLaws({ law = [], skipLaw = [] }: TestFlags): void {
  const unknown = [...law, ...skipLaw].filter((name) => !NAMES.includes(name));
  if (unknown.length > 0)
    throw new CommandFailure(`there is no law ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
}

function lawsOf({ law, skipLaw = [] }: TestFlags, { isInProcess }: Target): LawName[] {
  // A webhook gets a copy, and could not change the original.
  const asked = NAMES.filter(
    (name) =>
      (law?.includes(name) ?? true) && !skipLaw.includes(name) && (isInProcess || name !== 'input-untouched'),
  );
  return asked as LawName[];
}

function printed(report: TestReport, { format, output }: TestFlags): string {
  if (format === 'json') return jsonReport(report);
  return format === 'junit'
    ? junitReport(report)
    : textReport(report, { colors: output === undefined && process.stdout.isTTY === true });
}
