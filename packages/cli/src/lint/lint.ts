// Runs `instar lint` and prints the advice.
import { type LintFinding, type LintSeverity, lint, lintRuleNamed, type Profile } from '@instar/compat';
import { nameOf, readDefinitions } from '../check/sources/read-definitions.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import { CommandFailure, run } from '../exit-with-message.ts';
import { lintAsSarif } from './sarif.ts';
import { lintAsText } from './text.ts';

export interface LintFlags extends ClusterFlags {
  readonly profile: Profile;
  readonly disable?: readonly string[];
  readonly format: 'text' | 'json' | 'sarif';
  readonly failOn: LintSeverity | 'never';
  readonly color: boolean;
}

export interface LintedFile {
  readonly file: string | undefined;
  readonly findings: readonly LintFinding[];
}

const ORDER: readonly LintSeverity[] = ['error', 'warning', 'info'];

export function lintAndPrint(sources: readonly string[], flags: LintFlags): Promise<void> {
  return run(async () => {
    const unknown = flags.disable?.find((id) => lintRuleNamed(id) === undefined);
    if (unknown !== undefined) throw new CommandFailure(`there is no lint rule ${unknown}`, 2);
    const linted = (await Promise.all(sources.map((source) => lintSource(source, flags)))).flat();
    process.stdout.write(printed(linted, flags));
    const { failOn } = flags;
    const fails = (finding: LintFinding): boolean => failOn !== 'never' && ORDER.indexOf(finding.severity) <= ORDER.indexOf(failOn);
    return linted.some(({ findings }) => findings.some(fails)) ? 1 : 0;
  });
}

async function lintSource(source: string, flags: LintFlags): Promise<LintedFile[]> {
  const { definitions, files, warnings } = await readDefinitions(source, flags);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const { profile, disable = [] } = flags;
  return definitions.map((definition) => ({ file: files.get(nameOf(definition))?.file, findings: lint(definition, { profile, disable }) }));
}

function printed(linted: readonly LintedFile[], { format, color }: LintFlags): string {
  switch (format) {
    case 'text':
      return lintAsText(linted, color);
    case 'json':
      return `${JSON.stringify({ findings: linted.flatMap(({ findings }) => findings) }, null, 2)}\n`;
    case 'sarif':
      return lintAsSarif(linted);
  }
}
