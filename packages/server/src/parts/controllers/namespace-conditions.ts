// The conditions of a namespace that cannot be deleted yet, with upstream's texts. Two of the five are about
// discovery and parsing, which cannot fail here; they are set for clients that wait for them.
import type { JsonObject } from '@instar/machinery';

/** What remains in a namespace after its contents were deleted. */
export interface RemainingContent {
  /** How many objects, by `plural.group`. */
  readonly resources: ReadonlyMap<string, number>;
  /** How many objects have it, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: readonly string[];
}

interface ConditionTexts {
  readonly type: string;
  readonly ok: readonly [reason: string, message: string];
  readonly problem: readonly [reason: string, message: string] | undefined;
}

/** A condition that was in `before` keeps its time as long as its status does not change. */
export function namespaceConditions(
  before: readonly JsonObject[],
  remaining: RemainingContent,
  now: string,
): JsonObject[] {
  const conditions = conditionTexts(remaining);
  const others = before.filter(({ type }) => !conditions.some((condition) => condition.type === type));
  return [...others, ...conditions.map((condition) => conditionOf(condition, before, now))];
}

function conditionOf(
  { type, ok, problem }: ConditionTexts,
  before: readonly JsonObject[],
  now: string,
): JsonObject {
  const [reason, message] = problem ?? ok;
  const status = problem === undefined ? 'False' : 'True';
  const old = before.find((condition) => condition['type'] === type);
  const lastTransitionTime = old?.['status'] === status ? (old['lastTransitionTime'] ?? now) : now;
  return { type, status, lastTransitionTime, reason, message };
}

function conditionTexts({ resources, finalizers, failures }: RemainingContent): ConditionTexts[] {
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
