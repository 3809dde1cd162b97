// Runs `instar lint` and prints the advice.
import {
  applyExceptions,
  type Exception,
  type LintFinding,
  type LintSeverity,
  lint,
  lintRuleNamed,
  type Profile,
} from '@instar/compat';
import { readExceptions } from '../check/excuses.ts';
import { definitionName, readDefinitions } from '../check/sources/read-definitions.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import { CommandFailure, run } from '../exit-with-message.ts';
import type { LintedFile } from './linted-file.ts';
import { lintAsSarif } from './sarif.ts';
import { lintAsText } from './text.ts';

export interface LintFlags extends ClusterFlags {
  readonly profile: Profile;
  readonly disable?: readonly string[];
  readonly exceptions?: string;
  readonly format: 'text' | 'json' | 'sarif';
  readonly failOn: LintSeverity | 'never';
  readonly color: boolean;
}

const ORDER: readonly LintSeverity[] = ['error', 'warning', 'info'];

export function lintAndPrint(sources: readonly string[], flags: LintFlags): Promise<void> {
  return run(async () => {
    const unknown = flags.disable?.find((id) => lintRuleNamed(id) === undefined);
    if (unknown !== undefined) throw new CommandFailure(`there is no lint rule ${unknown}`);
    const { exceptions } = await readExceptions(flags.exceptions, 'lint');
    const linted = (await Promise.all(sources.map((source) => lintSource(source, flags)))).flat();
    if (linted.length === 0)
      throw new CommandFailure(`nothing to check: no CustomResourceDefinition in ${sources.join(', ')}`);
    const counted = withExceptions(linted, exceptions);
    process.stdout.write(printed(counted, flags));
    return counted.some(({ findings }) => findings.some((finding) => fails(finding, flags))) ? 1 : 0;
  });
}

const fails = ({ severity, excused }: LintFinding, { failOn }: LintFlags): boolean =>
  failOn !== 'never' && excused === undefined && ORDER.indexOf(severity) <= ORDER.indexOf(failOn);

async function lintSource(source: string, flags: LintFlags): Promise<LintedFile[]> {
  const { definitions, files, warnings } = await readDefinitions(source, flags);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const { profile, disable = [] } = flags;
  return definitions.map((definition) => ({
    file: files.get(definitionName(definition))?.file,
    findings: lint(definition, { profile, disable }),
  }));
}

/**
 * An exception that has expired or matches nothing is reported, so that the file does not outlive its
 * reasons.
 */
function withExceptions(linted: readonly LintedFile[], exceptions: readonly Exception[]): LintedFile[] {
  const all = linted.flatMap(({ findings }) => findings);
  const { findings, unused, expired } = applyExceptions(all, exceptions, Date.now());
  const place = ({ rule, path }: Exception): string => `${rule}${path === undefined ? '' : ` at ${path}`}`;
  for (const one of expired)
    process.stderr.write(`warning: exception expired on ${one.expires}: ${place(one)}\n`);
  for (const one of unused)
    process.stderr.write(`warning: exception no longer matches anything: ${place(one)}\n`);
  const excused = new Map(all.map((finding, index) => [finding, findings[index]!]));
  return linted.map(({ file, findings: own }) => ({
    file,
    findings: own.map((finding) => excused.get(finding)!),
  }));
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
