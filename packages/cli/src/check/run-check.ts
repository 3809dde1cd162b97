// Checks all definitions of two sides. @instar/compat decides everything; here it is assembled.
import {
  applyBaseline,
  applyExceptions,
  baselineOf,
  checkConversion,
  checkObjects,
  compareDefinitions,
  compareSeverity,
  conversionFindings,
  definitionOf,
  executedFindings,
  executeRule,
  type Finding,
  isConverted,
  isWithin,
  semverVerdict,
  verdictOf,
  withConversion,
} from '@instar/compat';
import type { JsonObject } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { type NamedConversion, openConversion } from './conversion.ts';
import { readBaseline, readExceptions } from './excuses.ts';
import type { CheckFlags, FailOn } from './flags.ts';
import { lineFinder } from './line-finder.ts';
import { type DefinitionPair, pairDefinitions } from './pair-definitions.ts';
import type { CheckedDefinition, CheckReport } from './report.ts';
import type { SourceText } from './sources/parse-source.ts';
import { type ReadDefinitions, readDefinitions } from './sources/read-definitions.ts';
import { type ObjectsOf, openObjects } from './sources/read-objects.ts';

const isNamed = (names: readonly string[] = [], name: string): boolean =>
  names.includes(name) || names.includes('*');

interface Means {
  readonly openEnums: readonly string[];
  readonly flags: CheckFlags;
  readonly objectsOf: ObjectsOf;
  readonly conversion: NamedConversion | undefined;
  readonly sourceOf: (name: string) => SourceText | undefined;
}

/** `now` is in milliseconds: exceptions expire. */
export async function runCheck(
  oldSource: string,
  newSource: string,
  flags: CheckFlags,
  now: number,
): Promise<CheckReport> {
  const [old, next] = [await readDefinitions(oldSource, flags), await readDefinitions(newSource, flags)];
  const pairs = pairDefinitions(old, next, flags.crd);
  if (pairs.length === 0)
    throw new CommandFailure(`nothing to check: ${whyNothing([oldSource, old], [newSource, next], flags)}`);
  const exceptions = await readExceptions(flags.exceptions, 'check');
  const means: Means = {
    flags,
    openEnums: [...(flags.openEnum ?? []), ...exceptions.openEnums],
    objectsOf: await openObjects(flags.objects, flags),
    conversion: await openConversion(flags),
    sourceOf: (name) => next.files.get(name) ?? old.files.get(name),
  };
  const baseline = await readBaseline(flags.baseline);
  const checked: CheckedDefinition[] = [];
  for (const pair of pairs) checked.push(await checkPair(pair, means));
  const excused = applyExceptions(
    checked.flatMap(({ findings }) => findings),
    exceptions.exceptions,
    now,
  );
  const counted = applyBaseline(excused.findings, baseline);
  const definitions = withExcuses(checked, counted);
  const semver = semverVerdict(counted);
  // A change announced by --expect is judged by that alone, unless both flags are given.
  const failOn = flags.failOn ?? (flags.expect === undefined ? 'breaking' : 'never');
  const asExpected = flags.expect === undefined || isWithin(semver.bump, flags.expect);
  return {
    old: oldSource,
    new: newSource,
    definitions,
    verdict: verdictOf(counted),
    semver,
    ...(flags.expect !== undefined && { expected: flags.expect }),
    asExpected,
    failed: !asExpected || counted.some((finding) => fails(finding, failOn)),
    warnings: [...old.warnings, ...next.warnings],
    unusedExceptions: excused.unused,
    expiredExceptions: excused.expired,
  };
}

type Side = readonly [source: string, read: ReadDefinitions];

/**
 * A definition on one side only was added or removed, which is a change; without any definition a verdict
 * would mean nothing.
 */
function whyNothing(old: Side, next: Side, { crd }: CheckFlags): string {
  if (crd !== undefined) return `neither ${old[0]} nor ${next[0]} has a definition ${crd}`;
  const empty = new Set(
    [old, next].filter(([, { definitions }]) => definitions.length === 0).map(([source]) => source),
  );
  return `${[...empty].join(' and ')} ${empty.size === 1 ? 'holds' : 'hold'} no CustomResourceDefinition`;
}

export const newBaseline = ({ definitions }: CheckReport): string[] =>
  baselineOf(definitions.flatMap(({ findings }) => findings));

function fails(finding: Finding, failOn: FailOn): boolean {
  if (failOn === 'never' || finding.excused !== undefined || isConverted(finding)) return false;
  return compareSeverity(finding.severity, failOn) <= 0;
}

async function checkPair({ name, old, new: next }: DefinitionPair, means: Means): Promise<CheckedDefinition> {
  const { flags } = means;
  const faults: string[] = [];
  const was = old === undefined ? undefined : definitionOf(old);
  const is = next === undefined ? undefined : definitionOf(next, faults);
  const objects = is === undefined ? [] : await means.objectsOf(is);
  const plain = compareDefinitions(was, is, {
    faults,
    servedVersions: flags.servedVersions,
    evidence: flags.generate > 0,
    openEnums: means.openEnums,
    converted: isNamed(flags.convertedByWebhook, name),
    objects,
  });
  const more =
    was === undefined || is === undefined ? undefined : await deeper(was, is, plain, objects, means);
  const source = means.sourceOf(name);
  const lineOf = source === undefined ? undefined : lineFinder(source.text);
  const findings = [...(more?.findings ?? plain)]
    .sort((a, b) => compareSeverity(a.severity, b.severity))
    .map((finding) =>
      lineOf === undefined
        ? finding
        : { ...finding, line: lineOf({ ...finding, version: finding.toVersion ?? finding.version }) },
    );
  return {
    crd: name,
    kind: findings[0]?.kind ?? (is ?? was)!.spec.names.kind,
    ...(source !== undefined && { file: source.file }),
    executed: [],
    ...more,
    findings,
    verdict: verdictOf(findings),
    semver: semverVerdict(findings),
  };
}

type Definition = NonNullable<ReturnType<typeof definitionOf>>;

async function deeper(
  was: Definition,
  is: Definition,
  plain: readonly Finding[],
  objects: readonly JsonObject[],
  { flags, conversion }: Means,
) {
  const executed =
    flags.generate > 0 && plain.length > 0
      ? executeRule(was, is, { runs: flags.generate, known: plain })
      : [];
  const { findings: ofObjects, ...counts } = checkObjects(was, is, objects);
  const isMeant = conversion !== undefined && (conversion.crd ?? is.metadata.name) === is.metadata.name;
  const converted = isMeant
    ? await checkConversion(was, is, conversion.convert, { runs: flags.generate, objects })
    : undefined;
  const compared =
    converted === undefined
      ? plain
      : [...withConversion(plain, converted), ...conversionFindings(is, converted)];
  return {
    findings: [...compared, ...executedFindings(is, executed), ...ofObjects],
    executed,
    ...(flags.objects !== undefined && { objects: counts }),
    ...(converted !== undefined && { conversion: converted }),
  };
}

/** Assigns the findings, in the same order, to the definitions that they came from. */
function withExcuses(
  checked: readonly CheckedDefinition[],
  counted: readonly Finding[],
): CheckedDefinition[] {
  let at = 0;
  return checked.map((definition) => {
    const findings = counted.slice(at, (at += definition.findings.length));
    return { ...definition, findings, verdict: verdictOf(findings), semver: semverVerdict(findings) };
  });
}
