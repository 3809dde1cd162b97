// The rule of the talk, executed: a new object, relabeled as the old version and applied there, must stay the
// same. It is run on generated objects, first with required fields only, then with more. It covers what the
// API server does, not the behavior of controllers.
import { type CustomResourceDefinition, storageVersionOf } from '@instar/crd';
import {
  arbitraryOf,
  type Difference,
  differencesOf,
  GenerationError,
  type ObjectSize,
} from '@instar/lens/proof';
import { asJson, fieldErrorMessage, type JsonObject } from '@instar/machinery';
import fc from 'fast-check';
import type { Finding } from '../finding.ts';
import { findingOf } from '../finding-of.ts';
import { documentation } from '../rules/documentation.ts';
import { executedRule } from '../rules/reported.ts';
import { prunedAndDefaulted, type VersionSchema, versionSchema } from './version-schema.ts';

/** How many objects are generated, and from which seed. */
export interface ExecuteOptions {
  /**
   * What the comparison of the schemas has found. Objects with more than the required fields count only for
   * what is wrong elsewhere: that an added field is lost, or a value above a raised limit refused, is known.
   */
  readonly known?: readonly Finding[];
  /** Objects of each size for each version; 20 by default. */
  readonly runs?: number;
  readonly seed?: number;
}

/** What running the rules of one version on generated objects has shown. */
export interface ExecutedVersion {
  readonly version: string;
  /** The version that objects were applied as, if it is another one. */
  readonly asVersion?: string;
  readonly required: Executed;
  readonly richer: Executed;
}

interface Executed {
  readonly tried: number;
  /** Objects that the old schema refuses. */
  readonly refused: number;
  /** Objects that differ after being applied as the old version. */
  readonly changed: number;
  /** Why no object could be made. */
  readonly failure?: string;
  /** What happened to the first that was refused or changed. */
  readonly example?: string;
}

/**
 * Applies objects of every version that both definitions have as its old state, and objects of every new
 * version as the old storage version, unless a webhook converts between them.
 */
export function executeRule(
  was: CustomResourceDefinition,
  is: CustomResourceDefinition,
  options: ExecuteOptions = {},
): ExecutedVersion[] {
  const stored = storageVersionOf(was);
  return is.spec.versions.flatMap((after) => {
    const same = was.spec.versions.find(({ name }) => name === after.name);
    const before = same ?? (is.spec.conversion?.strategy === 'Webhook' ? undefined : stored);
    const old = before && versionSchema(was, before);
    const next = versionSchema(is, after);
    if (old === undefined || next === undefined || !after.served) return [];
    const asVersion = same === undefined ? { asVersion: old.name } : {};
    return [
      {
        version: after.name,
        ...asVersion,
        required: execute(old, next, 'required', options),
        richer: execute(old, next, 'mixed', options, knownPaths(options.known ?? [], after.name)),
      },
    ];
  });
}

/** Whether a path of an object, spec.rules[3].name, belongs to one of the findings: spec.rules[*].name. */
type IsKnown = (path: string) => boolean;

const NOTHING_KNOWN: IsKnown = () => false;

function knownPaths(findings: readonly Finding[], version: string): IsKnown {
  const paths = new Set(
    findings.flatMap(({ path, version: of, toVersion, rule }) =>
      path === undefined || rule === documentation.id || (toVersion ?? of ?? version) !== version
        ? []
        : [path],
    ),
  );
  if (paths.size === 0) return NOTHING_KNOWN;
  // Keys of maps and indexes of lists are any.
  const patterns = [...paths].map((path) => {
    const steps = path
      .split(/(\[\*\]|\.\*(?=\.|\[|$))/)
      .map((part, i) => (i % 2 === 0 ? escaped(part) : ANY_STEP));
    return steps.join('');
  });
  const known = new RegExp(`^(?:${patterns.join('|')})(?:$|[.[])`);
  return (path) => known.test(path);
}

const ANY_STEP = '(?:\\[[^\\]]*\\]|\\.[^.[]+)';
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function execute(
  old: VersionSchema,
  next: VersionSchema,
  size: ObjectSize,
  { runs = 20, seed = 1 }: ExecuteOptions,
  isKnown = NOTHING_KNOWN,
): Executed {
  const objects = generated(next, size, runs, seed);
  if ('failure' in objects) return { tried: 0, refused: 0, changed: 0, failure: objects.failure };
  const problems = objects.objects.map((object) => problemOf(object, old, next, isKnown));
  const example = problems.find((problem) => problem !== undefined)?.text;
  return {
    tried: problems.length,
    refused: problems.filter((problem) => problem?.kind === 'refused').length,
    changed: problems.filter((problem) => problem?.kind === 'changed').length,
    ...(example !== undefined && { example }),
  };
}

/** Objects with only required fields are all alike: a few are enough. */
function generated(
  { schema, apiVersion, kind, namespaced }: VersionSchema,
  size: ObjectSize,
  runs: number,
  seed: number,
): { objects: JsonObject[] } | { failure: string } {
  const arbitrary = arbitraryOf(schema, { apiVersion, kind, namespaced, size, defaults: false });
  try {
    return {
      objects: fc
        .sample(arbitrary, { numRuns: size === 'required' ? Math.min(runs, 5) : runs, seed })
        .map(asJson),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (cause instanceof GenerationError) return { failure: cause.message };
    throw error;
  }
}

/** What follows from another error, and says nothing of its own. */
const UNCHECKED = /^some validation rules were not checked/;

function problemOf(
  object: JsonObject,
  old: VersionSchema,
  next: VersionSchema,
  isKnown: IsKnown,
): { kind: 'refused' | 'changed'; text: string } | undefined {
  const asOld = prunedAndDefaulted(object, old);
  const refusals = old.schema.validate(asOld).filter(({ detail }) => !UNCHECKED.test(detail));
  const refusal = refusals.find(({ field }) => !isKnown(field));
  if (refusal !== undefined)
    return { kind: 'refused', text: `the old schema says ${fieldErrorMessage(refusal)}` };
  if (refusals.length > 0) return undefined;
  const differences = differencesOf(prunedAndDefaulted(object, next), prunedAndDefaulted(asOld, next));
  const first = differences.find(({ path }) => !isKnown(path));
  return first === undefined ? undefined : { kind: 'changed', text: `${first.path} ${described(first)}` };
}

function described({ expected, got }: Difference): string {
  if (got === undefined) return 'is lost';
  return expected === undefined
    ? `was not set and becomes ${shown(got)}`
    : `was ${shown(expected)} and becomes ${shown(got)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** Findings about rules that were run on generated objects. */
export function executedFindings(
  crd: CustomResourceDefinition,
  executed: readonly ExecutedVersion[],
): Finding[] {
  return executed.flatMap(({ version, asVersion, required, richer }) => {
    const [kind, severity] = isBad(required)
      ? (['required', 'breaking'] as const)
      : (['richer', 'caution'] as const);
    const result = kind === 'required' ? required : richer;
    if (!isBad(result)) return [];
    const objects =
      kind === 'required' ? 'new objects with only their required fields' : 'new objects with more fields';
    const message = `applied as ${asVersion ?? `the old ${version}`}, ${result.refused} of ${result.tried} ${objects} are refused and ${result.changed} are changed`;
    return [
      findingOf(
        executedRule,
        { severity, message, evidence: [{ text: result.example! }] },
        crd,
        'executed',
        asVersion === undefined ? { version } : { version: asVersion, toVersion: version },
      ),
    ];
  });
}

const isBad = ({ refused, changed }: Executed): boolean => refused + changed > 0;
