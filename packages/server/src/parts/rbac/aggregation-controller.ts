// Fills the rules of cluster roles that aggregate others: those of every cluster role that one of the
// selectors chooses, in the order of their names.
import {
  ApiError,
  asJson,
  deepEqual,
  encodeJson,
  type JsonValue,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
} from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import { applyObject } from '../../api/handlers/apply.ts';
import { RBAC_GROUP } from '../../kinds/validate/rbac.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';

const MANAGER = 'clusterrole-aggregation-controller';

export class AggregationController {
  readonly #roles: Resource;
  readonly #queue: WorkQueue;
  readonly #follower: CacheFollower;
  /** The selectors of every role that aggregates others. */
  readonly #aggregated = new Map<string, readonly LabelSelector[]>();

  constructor(registry: ResourceRegistry, log: Log) {
    this.#roles = registry.get(RBAC_GROUP, 'clusterroles')!;
    this.#queue = new WorkQueue({
      work: (name) => this.#aggregate(name),
      onError: (name, error) =>
        log.warn(
          { clusterRole: name, err: error },
          'the rules of a cluster role could not be aggregated yet',
        ),
    });
    this.#follower = new CacheFollower(this.#roles.cache, {
      onState: (objects) => {
        this.#aggregated.clear();
        for (const object of objects) this.#note(object);
        for (const name of this.#aggregated.keys()) this.#queue.add(name);
      },
      onEvent: ({ type, object, previous }) => {
        if (type === 'DELETED') this.#aggregated.delete(object.metadata.name!);
        else if (this.#note(object)) this.#queue.add(object.metadata.name!);
        this.#queueThoseThatChoose(object, previous);
      },
      onError: (error) => log.error({ err: error }, 'cluster roles cannot be followed'),
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#queue.close();
  }

  /** True: the role aggregates others. */
  #note(object: CachedObject): boolean {
    const { name } = object.metadata;
    const rule = object.parse()['aggregationRule'] as
      | { clusterRoleSelectors?: LabelSelectorObject[] }
      | undefined;
    if (rule === undefined) {
      this.#aggregated.delete(name!);
      return false;
    }
    this.#aggregated.set(name!, (rule.clusterRoleSelectors ?? []).map(labelSelectorFromObject));
    return true;
  }

  #queueThoseThatChoose(object: CachedObject, previous: CachedObject | undefined): void {
    const before = previous?.metadata.labels;
    for (const [name, selectors] of this.#aggregated)
      if (selectors.some((selector) => selector.matches(object.metadata.labels) || selector.matches(before)))
        this.#queue.add(name);
  }

  async #aggregate(name: string): Promise<void> {
    const role = this.#roles.cache.get(this.#roles.key('', name))?.parse();
    const selectors = this.#aggregated.get(name);
    if (role === undefined || selectors === undefined) return;
    const rules = this.#rulesOfOthers(name, selectors);
    if (deepEqual(rules, (asJson(role)['rules'] ?? []) as JsonValue)) return;
    const write = internalWrite({ resource: this.#roles, name, manager: MANAGER });
    const { apiVersion } = write.version;
    const applied = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
    const next = (live: KubeObject | undefined): Promise<KubeObject> =>
      applyObject(write, live, applied, true);
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      // Another write came first: its event adds the role to the queue again.
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }

  #rulesOfOthers(name: string, selectors: readonly LabelSelector[]): JsonValue[] {
    const rules = new Map<string, JsonValue>();
    for (const selector of selectors) {
      const chosen = [...this.#roles.cache.values()]
        .filter(({ metadata }) => metadata.name !== name && selector.matches(metadata.labels))
        .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
      for (const object of chosen)
        for (const rule of (asJson(object.parse())['rules'] ?? []) as JsonValue[]) {
          const text = encodeJson(rule);
          if (!rules.has(text)) rules.set(text, rule);
        }
    }
    return [...rules.values()];
  }
}
