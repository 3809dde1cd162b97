// Keeps the status of lenses current when lenses or definitions change. A lens is called accepted once it is
// in effect.
import { ApiError, asJson, deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { findDefinition } from '../definitions/stored-definition.ts';
import { type LensCondition, lensConditions } from './lens-status.ts';
import type { Lenses } from './lenses.ts';

export class LensController {
  readonly #lenses: Lenses;
  readonly #resource: Resource;
  readonly #crds: Resource;
  readonly #inEffect: (crd: string) => Promise<void>;
  readonly #queue: WorkQueue;
  readonly #followers: readonly CacheFollower[];

  /** `inEffect` resolves when a definition is served with the lenses that are known. */
  constructor(
    lenses: Lenses,
    resource: Resource,
    crds: Resource,
    inEffect: (crd: string) => Promise<void>,
    log: Log,
  ) {
    this.#inEffect = inEffect;
    this.#lenses = lenses;
    this.#resource = resource;
    this.#crds = crds;
    this.#queue = new WorkQueue({
      work: (name) => this.#sync(name),
      onError: (name, error) =>
        log.warn({ lens: name, err: error }, 'the status of a lens could not be updated yet'),
    });
    const onError = (error: unknown): void =>
      log.error({ err: error }, 'lenses or definitions cannot be followed');
    this.#followers = [
      new CacheFollower(resource.cache, {
        onState: (objects) => this.#addAll(objects),
        onEvent: ({ object, previous }) => {
          this.#addFor(crdOf(object));
          if (previous !== undefined) this.#addFor(crdOf(previous));
        },
        onError,
      }),
      new CacheFollower(crds.cache, {
        onState: () => this.#addAll(resource.cache.values()),
        onEvent: ({ object }) => this.#addFor(object.metadata.name!),
        onError,
      }),
    ];
  }

  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  async stop(): Promise<void> {
    for (const follower of this.#followers) follower.stop();
    await this.#queue.close();
  }

  #addAll(objects: Iterable<CachedObject>): void {
    for (const object of objects) this.#queue.add(object.metadata.name!);
  }

  /** All lenses of the definition: another one may apply when a lens is deleted. */
  #addFor(crd: string): void {
    for (const { name } of this.#lenses.for(crd)) this.#queue.add(name);
  }

  async #sync(name: string): Promise<void> {
    await this.#inEffect(this.#lenses.find(name)?.crd ?? '');
    const stored = this.#lenses.find(name);
    if (stored === undefined) return;
    const conditions = lensConditions(
      stored,
      this.#lenses.for(stored.crd),
      findDefinition(this.#crds, stored.crd),
    );
    const write = internalWrite({ resource: this.#resource, name, subresource: 'status', manager: 'instar' });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const lens = structuredClone(live!);
      lens['status'] = { conditions: merged(live!, conditions, stored.generation) };
      // Never `live` itself: the write changes what is returned.
      return deepEqual(asJson(lens), asJson(live!)) ? lens : recordOwnership(write, live, lens);
    };
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }
}

const crdOf = (cached: CachedObject): string =>
  String((cached.parse()['spec'] as { crd?: string } | undefined)?.crd ?? '');

/** A condition keeps its time as long as its status does not change. */
function merged(
  live: KubeObject,
  conditions: readonly LensCondition[],
  observedGeneration: number,
): JsonValue[] {
  const before =
    (live['status'] as { conditions?: (LensCondition & { lastTransitionTime: string })[] } | undefined)
      ?.conditions ?? [];
  const now = timestamp(Date.now());
  return conditions.map((condition) => {
    const known = before.find(({ type }) => type === condition.type);
    const lastTransitionTime = known?.status === condition.status ? known.lastTransitionTime : now;
    return { ...condition, lastTransitionTime, observedGeneration };
  });
}
