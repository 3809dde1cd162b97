// The status of every PodDisruptionBudget: how many of its pods are healthy, and how many may be evicted.

import type { LabelSelector, LabelSelectorObject } from '@instar/machinery';
import {
  asJson,
  deepEqual,
  type JsonObject,
  type JsonValue,
  labelSelectorFromObject,
} from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { expectedPods } from './expected-pods.ts';
import { changeInternally, readCached } from './internal-objects.ts';
import { KeyedController, keyOf, splitKey } from './keyed-controller.ts';

/** A pod whose eviction was allowed is expected to go within this time. */
const DELETION_MS = 120_000;
const ALLOWED = 'DisruptionAllowed';
/** Whose scale decides how many pods there should be. */
const WORKLOADS: readonly (readonly [string, string])[] = [
  ['', 'replicationcontrollers'],
  ['apps', 'deployments'],
  ['apps', 'replicasets'],
  ['apps', 'statefulsets'],
];

interface Budget {
  metadata: { namespace: string; name: string; generation?: number };
  spec: {
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    selector?: LabelSelectorObject;
  };
  status?: { disruptedPods?: Record<string, string>; conditions?: Condition[] };
}

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
}

const selectors = new WeakMap<CachedObject, LabelSelector | undefined>();

/** A budget without a selector selects no pod; with an empty one, all of its namespace. */
function selectorOf(budget: CachedObject): LabelSelector | undefined {
  if (!selectors.has(budget)) {
    const { selector } = (budget.parse() as unknown as Budget).spec;
    selectors.set(budget, selector === undefined ? undefined : labelSelectorFromObject(selector));
  }
  return selectors.get(budget);
}

export function disruptionController(registry: ResourceRegistry, log: Log): KeyedController {
  const budgets = registry.get('policy', 'poddisruptionbudgets')!;
  const pods = registry.get('', 'pods')!;
  const controller: KeyedController = new KeyedController({
    name: 'disruption-controller',
    log,
    delayMs: 50,
    follows: [
      { resource: budgets, keysOf: (budget) => [keyOf(budget)] },
      { resource: pods, keysOf: (pod) => budgetsOf(pod, budgets) },
      ...WORKLOADS.map(([group, plural]) => ({
        resource: registry.get(group, plural)!,
        keysOf: () => [],
      })),
    ],
    async work(key) {
      const id = splitKey(key);
      const budget = readCached(budgets, id) as unknown as Budget | undefined;
      const cached = budgets.cache.get(budgets.key(id.namespace, id.name));
      if (budget === undefined || cached === undefined) return;
      const selector = selectorOf(cached);
      const selected = pods.cache
        .slice(pods.prefixOf(id.namespace))
        .filter(({ metadata }) => selector?.matches(metadata.labels) === true);
      const now = Date.now();
      const status = statusOf(registry, budget, selected, now);
      if (!deepEqual((asJson(budget as never)['status'] ?? {}) as JsonValue, status))
        await changeInternally(budgets, id, (live) => void (live['status'] = status), {
          subresource: 'status',
        });
      const disrupted = Object.values((status['disruptedPods'] ?? {}) as Record<string, string>);
      if (disrupted.length > 0) {
        const next = Math.min(...disrupted.map((time) => Date.parse(time))) + DELETION_MS - now;
        controller.addLater(key, Math.max(0, next) + 1000);
      }
    },
  });
  return controller;
}

function budgetsOf(pod: CachedObject, budgets: Resource): string[] {
  return budgets.cache
    .slice(budgets.prefixOf(pod.metadata.namespace!))
    .filter((budget) => selectorOf(budget)?.matches(pod.metadata.labels) === true)
    .map((budget) => keyOf(budget));
}

function statusOf(
  registry: ResourceRegistry,
  budget: Budget,
  pods: readonly CachedObject[],
  now: number,
): JsonObject {
  const { generation = 0 } = budget.metadata;
  let desired: { expected: number; healthy: number };
  try {
    desired = desiredOf(registry, budget, pods);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const condition = { status: 'False', reason: 'SyncFailed', message: why };
    return {
      ...(budget.status as unknown as JsonObject | undefined),
      disruptionsAllowed: 0,
      conditions: conditionsOf(budget, condition, now) as unknown as JsonValue,
    };
  }
  const disruptedPods = stillExpectedToGo(budget, pods, now);
  const healthy = pods.filter(
    (pod) => pod.metadata.deletionTimestamp == null && !(pod.metadata.name! in disruptedPods) && isReady(pod),
  ).length;
  const allowed = desired.expected <= 0 ? 0 : Math.max(0, healthy - desired.healthy);
  const condition =
    allowed > 0
      ? { status: 'True', reason: 'SufficientPods', message: '' }
      : { status: 'False', reason: 'InsufficientPods', message: '' };
  return {
    observedGeneration: generation,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired.healthy,
    expectedPods: desired.expected,
    conditions: conditionsOf(budget, condition, now) as unknown as JsonValue,
  };
}

function desiredOf(
  registry: ResourceRegistry,
  { spec: { minAvailable, maxUnavailable } }: Budget,
  pods: readonly CachedObject[],
): { expected: number; healthy: number } {
  if (maxUnavailable !== undefined) {
    const expected = expectedPods(registry, pods);
    return { expected, healthy: Math.max(0, expected - partOf(maxUnavailable, expected)) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, healthy: minAvailable };
  if (minAvailable === undefined) return { expected: 0, healthy: 0 };
  const expected = expectedPods(registry, pods);
  return { expected, healthy: partOf(minAvailable, expected) };
}

/** A percentage is rounded up. */
const partOf = (part: number | string, whole: number): number =>
  typeof part === 'number' ? part : Math.ceil((Number.parseInt(part, 10) * whole) / 100);

function stillExpectedToGo(
  { status }: Budget,
  pods: readonly CachedObject[],
  now: number,
): Record<string, string> {
  const present = new Set(
    pods.filter(({ metadata }) => metadata.deletionTimestamp == null).map(({ metadata }) => metadata.name!),
  );
  return Object.fromEntries(
    Object.entries(status?.disruptedPods ?? {}).filter(
      ([name, time]) => present.has(name) && Date.parse(time) + DELETION_MS >= now,
    ),
  );
}

function isReady(pod: CachedObject): boolean {
  const { status } = pod.parse() as unknown as {
    status?: { conditions?: { type: string; status: string }[] };
  };
  return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

function conditionsOf(
  { metadata: { generation = 0 }, status }: Budget,
  condition: Pick<Condition, 'status' | 'reason' | 'message'>,
  now: number,
): Condition[] {
  const known = status?.conditions ?? [];
  const before = known.find(({ type }) => type === ALLOWED);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : timestamp(now);
  const next: Condition = { type: ALLOWED, ...condition, observedGeneration: generation, lastTransitionTime };
  return before === undefined ? [...known, next] : known.map((each) => (each.type === ALLOWED ? next : each));
}
