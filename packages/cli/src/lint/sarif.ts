// Advice as SARIF 2.1.0.
import { LINT_RULES } from '@instar/compat';
import type { LintedFile } from './linted-file.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

export function lintAsSarif(linted: readonly LintedFile[]): string {
  const rules = LINT_RULES.map(({ id, title, explanation, instead }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: instead },
  }));
  const results = linted.flatMap(({ file, findings }) =>
    findings.map(({ rule, severity, crd, version, path, message, excused }) => {
      const place = [crd, version, path].filter((part) => part !== undefined && part !== '').join(' ');
      const physicalLocation =
        file === undefined
          ? {}
          : { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 1 } } };
      return {
        ruleId: rule,
        level: LEVELS[severity],
        message: { text: `${place}: ${message}` },
        locations: [
          { ...physicalLocation, logicalLocations: [{ fullyQualifiedName: place, kind: 'member' }] },
        ],
        ...(excused !== undefined && { suppressions: [{ kind: 'external', justification: excused }] }),
      };
    }),
  );
  const runs = [{ tool: { driver: { name: 'instar lint', rules } }, results }];
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs }, null, 2)}\n`;
}
