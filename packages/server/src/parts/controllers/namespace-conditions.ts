// What a namespace that cannot go yet says about itself: five conditions, in the words that people who look
// for the reason know. Two of them are about discovery and parsing, which cannot fail here; clients that wait
// for them still find them.
import type { JsonObject } from '@instar/machinery';

/** What is left in a namespace after its contents were deleted. */
export interface Remains {
  /** How many objects, by `plural.group`. */
  readonly resources: ReadonlyMap<string, number>;
  /** How many objects wait for it, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: readonly string[];
}

interface Finding {
  readonly type: string;
  readonly ok: readonly [reason: string, message: string];
  readonly problem: readonly [reason: string, message: string] | undefined;
}

/** The conditions after `before`; a condition keeps its time as long as its status stays. */
export function namespaceConditions(
  before: readonly JsonObject[],
  remains: Remains,
  now: string,
): JsonObject[] {
  const findings = findingsOf(remains);
  const others = before.filter(({ type }) => !findings.some((finding) => finding.type === type));
  return [...others, ...findings.map((finding) => conditionOf(finding, before, now))];
}

function conditionOf({ type, ok, problem }: Finding, before: readonly JsonObject[], now: string): JsonObject {
  const [reason, message] = problem ?? ok;
  const status = problem === undefined ? 'False' : 'True';
  const old = before.find((condition) => condition['type'] === type);
  const lastTransitionTime = old?.['status'] === status ? (old['lastTransitionTime'] ?? now) : now;
  return { type, status, lastTransitionTime, reason, message };
}

function findingsOf({ resources, finalizers, failures }: Remains): Finding[] {
  const counted = (
    counts: ReadonlyMap<string, number>,
    words: (name: string, count: number) => string,
  ): string =>
    [...counts]
      .map(([name, count]) => words(name, count))
      .sort()
      .join(', ');
  const left = counted(resources, (name, count) => `${name} has ${count} resource instances`);
  const held = counted(finalizers, (name, count) => `${name} in ${count} resource instances`);
  const failed = `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`;
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      ok: ['ResourcesDiscovered', 'All resources successfully discovered'],
      problem: undefined,
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      ok: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
      problem: undefined,
    },
    {
      type: 'NamespaceDeletionContentFailure',
      ok: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
      problem: failures.length === 0 ? undefined : ['ContentDeletionFailed', failed],
    },
    {
      type: 'NamespaceContentRemaining',
      ok: ['ContentRemoved', 'All content successfully removed'],
      problem: left === '' ? undefined : ['SomeResourcesRemain', `Some resources are remaining: ${left}`],
    },
    {
      type: 'NamespaceFinalizersRemaining',
      ok: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
      problem:
        held === ''
          ? undefined
          : ['SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${held}`],
    },
  ];
}
