// For CI systems that show test results: one suite per definition, one test case per finding; breaking ones
// fail.
import { type Finding, isConverted } from '@instar/compat';
import type { CheckedDefinition, CheckReport } from '../report.ts';
import { versionText } from './words.ts';

export function asJunit({ definitions }: CheckReport): string {
  const suites = definitions.map(suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="instar check">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ crd, findings }: CheckedDefinition): string {
  const failures = findings.filter(fails).length;
  const skipped = findings.filter(({ excused }) => excused !== undefined).length;
  const cases =
    findings.length > 0
      ? findings.map(testCase)
      : [`    <testcase classname="${xml(crd)}" name="nothing changed"/>`];
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  return [`  <testsuite name="${xml(crd)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
}

function testCase(finding: Finding): string {
  const { crd, rule, path = '', message, excused, evidence = [], instead = '' } = finding;
  const open = `    <testcase classname="${xml(`${crd} ${versionText(finding)}`)}" name="${xml(`${rule} ${path}`.trim())}"`;
  if (excused !== undefined) return `${open}><skipped message="${xml(excused)}"/></testcase>`;
  if (!fails(finding)) return `${open}/>`;
  const body = [message, ...evidence.map(({ text }) => text), instead]
    .filter((line) => line !== '')
    .join('\n');
  return `${open}><failure type="${finding.severity}" message="${xml(message)}">${xml(body)}</failure></testcase>`;
}

const fails = (finding: Finding): boolean =>
  finding.severity === 'breaking' && finding.excused === undefined && !isConverted(finding);

/** Leaves out characters that XML cannot represent. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
