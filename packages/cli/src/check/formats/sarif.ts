// SARIF 2.1.0, which GitHub and others show beside the code.
import { type Finding, identityOf, RULES, type Rule, type Severity } from '@instar/compat';
import { type CheckReport, findingsOf } from '../report.ts';
import { versionText } from './words.ts';

const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  breaking: 'error',
  unsure: 'warning',
  caution: 'warning',
  safe: 'note',
};

export function asSarif(report: CheckReport): string {
  const used = new Set(findingsOf(report).map(({ rule }) => rule));
  const rules = RULES.filter(({ id }) => used.has(id));
  const results = report.definitions.flatMap(({ file, findings }) =>
    findings.map((finding) => result(finding, rules, file)),
  );
  const driver = { name: 'instar check', rules: rules.map(descriptor) };
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results }],
  };
  return `${JSON.stringify(sarif, null, 2)}\n`;
}

function descriptor({ id, title, explanation, instead, severity }: Rule): object {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: `${explanation}\n\n${instead}` },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function result(finding: Finding, rules: readonly Rule[], file: string | undefined): object {
  const { rule, severity, crd, path, message, evidence = [], excused } = finding;
  const place = [crd, versionText(finding), path]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: LEVELS[severity],
    message: { text: [`${place}: ${message}`, ...evidence.map(({ text }) => text)].join('\n') },
    partialFingerprints: { 'instar/v1': identityOf(finding) },
    locations: [
      {
        ...(file !== undefined && {
          physicalLocation: {
            artifactLocation: { uri: file.replaceAll('\\', '/') },
            region: { startLine: finding.line ?? 1 },
          },
        }),
        logicalLocations: [{ fullyQualifiedName: place, kind: 'member' }],
      },
    ],
    ...(excused !== undefined && { suppressions: [{ kind: 'external', justification: excused }] }),
  };
}
