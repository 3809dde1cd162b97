// The report for CI systems: a suite for each direction, a case for each law and for each sample.
import type { LawFailure, SampleReport } from '@instar/lens/proof';
import { type JsonValue, printYaml } from '@instar/machinery';
import { colorsFor } from './colors.ts';
import { differenceLines } from './difference-lines.ts';
import { isSampleGood, type TestReport } from './report.ts';

const PLAIN = colorsFor(false);

export function junitReport({ definition, proof, samples, seconds }: TestReport): string {
  const suites = proof.directions.map(({ from, to, laws, generationFailure }) => {
    const cases = laws.map(({ law, notApplicable }) => {
      const failure = proof.failures.find((one) => one.law === law && one.from === from && one.to === to);
      const skipped =
        notApplicable === undefined ? undefined : `<skipped message="${escaped(notApplicable)}"/>`;
      return testCase(
        law,
        failure === undefined ? skipped : failureElement(failure.violation.message, failureText(failure)),
      );
    });
    const made =
      generationFailure === undefined
        ? []
        : [testCase('objects can be made', failureElement(generationFailure, ''))];
    return suite(`${definition.name} ${from} → ${to}`, [...made, ...cases]);
  });
  if (samples.length > 0) suites.unshift(suite(`${definition.name} samples`, samples.map(sampleCase)));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="instar test" time="${seconds.toFixed(3)}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function suite(name: string, cases: readonly string[]): string {
  const failures = cases.filter((one) => one.includes('<failure')).length;
  const skipped = cases.filter((one) => one.includes('<skipped')).length;
  const head = `<testsuite name="${escaped(name)}" tests="${cases.length}" failures="${failures}" skipped="${skipped}">`;
  return `${head}\n${cases.join('\n')}\n</testsuite>`;
}

const testCase = (name: string, inner: string | undefined): string =>
  inner === undefined
    ? `<testcase name="${escaped(name)}"/>`
    : `<testcase name="${escaped(name)}">${inner}</testcase>`;

function sampleCase(sample: SampleReport): string {
  const { name, from, to, failure, differences } = sample;
  const text = differenceLines(differences, '', PLAIN).join('\n');
  return testCase(
    `${name}: ${from} → ${to}`,
    isSampleGood(sample) ? undefined : failureElement(failure ?? 'the samples do not agree', text),
  );
}

const failureElement = (message: string, text: string): string =>
  `<failure message="${escaped(message)}">${escaped(text)}</failure>`;

function failureText({ objects, violation, seed }: LawFailure): string {
  const yaml = objects.map((object) => printYaml(object as unknown as JsonValue)).join('---\n');
  return `${differenceLines(violation.differences, '', PLAIN).join('\n')}\n\n${yaml}\n--seed ${seed} repeats this.`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** XML has no way to write most control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const escaped = (text: string): string =>
  text.replace(NOT_IN_XML, '\ufffd').replace(/[&<>"\n]/g, (one) => ENTITIES[one]!);
