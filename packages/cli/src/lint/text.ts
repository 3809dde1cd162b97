// Advice for people: by definition and version; a rule that many fields break is printed once, with its
// fields.
import type { LintFinding, LintSeverity } from '@instar/compat';
import pc from 'picocolors';
import type { LintedFile } from './linted-file.ts';

type Colors = ReturnType<typeof pc.createColors>;

const MAX_PATHS = 5;

export function lintAsText(linted: readonly LintedFile[], color: boolean): string {
  const colors = pc.createColors(color && pc.isColorSupported);
  const found = linted.flatMap(({ findings }) => findings);
  const all = found.filter(counts);
  const groups = linted
    .map(({ findings }) => definitionText(findings.filter(counts), colors))
    .filter((text) => text !== '');
  const excused = found.length > all.length ? `, ${found.length - all.length} excused` : '';
  const count = (severity: LintSeverity): string =>
    `${all.filter((one) => one.severity === severity).length} ${severity}`;
  const summary = `${linted.length} ${linted.length === 1 ? 'definition' : 'definitions'}: ${count('error')}, ${count('warning')}, ${count('info')}${excused}`;
  return `${[...groups, summary].join('\n\n')}\n`;
}

const counts = ({ excused }: LintFinding): boolean => excused === undefined;

function definitionText(findings: readonly LintFinding[], colors: Colors): string {
  const [first] = findings;
  if (first === undefined) return '';
  const versions = [...new Set(findings.map(({ version }) => version))];
  const parts = versions.map((version) => {
    const own = findings.filter((finding) => finding.version === version);
    const rules = [...new Set(own.map(({ rule }) => rule))];
    return [
      `  ${colors.underline(version ?? 'all versions')}`,
      ...rules.map((rule) =>
        ruleText(
          own.filter((one) => one.rule === rule),
          colors,
        ),
      ),
    ].join('\n');
  });
  return [colors.bold(`${first.kind} (${first.crd})`), ...parts].join('\n');
}

function ruleText(findings: readonly LintFinding[], colors: Colors): string {
  const { rule, severity, message, instead } = findings[0]!;
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  const more = findings.length > MAX_PATHS ? `, and ${findings.length - MAX_PATHS} more` : '';
  const paths = findings
    .slice(0, MAX_PATHS)
    .map(({ path }) => path)
    .filter((path) => path !== undefined && path !== '');
  const where = paths.length === 0 ? '' : `${colors.bold(paths.join(', '))}${more}: `;
  return `    ${paint(severity.padEnd(7))} ${where}${message} ${colors.dim(`[${rule}]`)}\n            ${colors.dim(instead)}`;
}
