// Runs StorageVersionMigrations: serially for each resource, the oldest first. A migration that was
// interrupted by a restart begins again, and finds that the objects it has migrated need no work.
import { setTimeout } from 'node:timers/promises';
import { ApiError, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import { isTrue, type StorageVersionMigration } from '../../kinds/builtin/storage-version-migration.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { Censuses } from '../census/censuses.ts';
import { crdNameOf, isCustom } from '../census/custom-definitions.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import {
  completed,
  failed,
  type NewCondition,
  running,
  setCondition,
  succeeded,
} from './migration-status.ts';
import { markMigrated, markMigrating } from './prune-stored-versions.ts';
import { type RewriteProgress, rewriteObjects } from './rewrite-objects.ts';

const MANAGER = 'storage-version-migrator-controller';
/** How long a migration waits for a resource that does not exist (yet), as upstream. */
const UNKNOWN_RESOURCE_GRACE_MS = 60_000;
const RETRY_MS = 1_000;
/** Between two writes of the status. */
const MIN_PROGRESS_INTERVAL_MS = 2_000;
/**
 * Objects that cannot be converted are tried again before the migration fails: the webhook may have been
 * unreachable for a moment.
 */
const MAX_ATTEMPTS = 3;
const MAX_NAMED_FAILURES = 5;

interface MigrationControllerOptions {
  readonly registry: ResourceRegistry;
  readonly crds: Resource;
  readonly censuses: Censuses;
  readonly log: Log;
}

export class MigrationController {
  readonly #options: MigrationControllerOptions;
  readonly #migrations: Resource;
  /** Keys are resources, as "crontabs.stable.example.com" or "configmaps". */
  readonly #queue: WorkQueue;
  readonly #follower: CacheFollower;
  readonly #stopping = new AbortController();

  constructor(options: MigrationControllerOptions) {
    this.#options = options;
    this.#migrations = options.registry.get('storagemigration.k8s.io', 'storageversionmigrations')!;
    this.#queue = new WorkQueue({
      work: (resource) => this.#work(resource),
      onError: (resource, error) =>
        options.log.warn({ resource, err: error }, 'a storage migration could not continue yet'),
    });
    this.#follower = new CacheFollower(this.#migrations.cache, {
      onState: (objects) => {
        for (const object of objects) this.#consider(object);
      },
      onEvent: ({ object }) => this.#consider(object),
      onError: (error) => options.log.error({ err: error }, 'storage migrations cannot be followed'),
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    this.#stopping.abort();
    await this.#queue.close();
  }

  #consider(object: CachedObject): void {
    const migration = object.parse() as StorageVersionMigration;
    if (!isFinished(migration) || isTrue(migration, 'Running')) this.#queue.add(resourceOf(migration));
  }

  async #work(resource: string): Promise<void> {
    const migration = this.#next(resource);
    if (migration === undefined) return;
    // The migration ended, but the server stopped before it could write that.
    if (isFinished(migration)) return this.#write(migration, completed);
    await this.#run(migration);
    this.#queue.add(resource);
  }

  /** The oldest unfinished migration of a resource. */
  #next(resource: string): StorageVersionMigration | undefined {
    const all = [...this.#migrations.cache.values()].map(
      (object) => object.parse() as StorageVersionMigration,
    );
    const ofResource = all.filter(
      (migration) =>
        resourceOf(migration) === resource && (!isFinished(migration) || isTrue(migration, 'Running')),
    );
    return ofResource.sort(byAge)[0];
  }

  async #run(migration: StorageVersionMigration): Promise<void> {
    const { group, resource: plural } = migration.spec.resource;
    const resource = this.#options.registry.get(group, plural);
    if (resource === undefined) return this.#unknownResource(migration);
    try {
      await this.#migrate(migration, resource);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      throw error;
    }
  }

  async #unknownResource(migration: StorageVersionMigration): Promise<void> {
    const age = Date.now() - Date.parse(migration.metadata.creationTimestamp ?? '');
    if (age > UNKNOWN_RESOURCE_GRACE_MS)
      return this.#write(migration, failed('resource does not exist in discovery'));
    throw new Error(`there is no resource ${resourceOf(migration)} (yet)`);
  }

  async #migrate(migration: StorageVersionMigration, resource: Resource): Promise<void> {
    const { crds, censuses } = this.#options;
    const hasDefinition = isCustom(resource);
    const crd = crdNameOf(resource);
    const generation = hasDefinition ? await markMigrating(crds, crd, migration.metadata.name!) : 0;
    await resource.cache.waitUntilFresh();
    await this.#write(migration, running(0, 0), String(resource.cache.revision));
    const reasons: string[] = [];
    const progress = await this.#passes(migration, resource, reasons);
    const left = progress.failed;
    if (left > 0) {
      await this.#write(
        migration,
        running(left, progress.total),
        undefined,
        failed(failureText(left, progress.total, reasons)),
      );
    } else await this.#write(migration, running(0, progress.total), undefined, succeeded);
    if (hasDefinition)
      await markMigrated(crds, crd, generation, left > 0 ? undefined : await censuses.of(resource));
    await this.#write(migration, completed);
  }

  /** Repeats until a pass finds nothing to do, or several passes only objects that cannot be migrated. */
  async #passes(
    migration: StorageVersionMigration,
    resource: Resource,
    reasons: string[],
  ): Promise<RewriteProgress> {
    for (let attempt = 1; ; ) {
      reasons.length = 0;
      let reportedAt = Date.now();
      const progress = await rewriteObjects(resource, {
        signal: this.#stopping.signal,
        onFailure: ({ metadata: { namespace, name } }, why) => {
          if (reasons.length < MAX_NAMED_FAILURES)
            reasons.push(`${namespace === undefined ? '' : `${namespace}/`}${name}: ${why}`);
        },
        onProgress: async ({ candidates, total, rewritten, overtaken }) => {
          if (Date.now() - reportedAt < MIN_PROGRESS_INTERVAL_MS) return;
          reportedAt = Date.now();
          await this.#write(migration, running(candidates - rewritten - overtaken, total));
        },
      });
      const isDone = progress.candidates === progress.failed;
      if (isDone && (progress.failed === 0 || attempt++ === MAX_ATTEMPTS)) return progress;
      if (isDone) await setTimeout(RETRY_MS, undefined, { signal: this.#stopping.signal, ref: false });
    }
  }

  async #write(
    migration: StorageVersionMigration,
    condition: NewCondition,
    resourceVersion?: string,
    outcome?: NewCondition,
  ): Promise<void> {
    const write = internalWrite({
      resource: this.#migrations,
      name: migration.metadata.name!,
      subresource: 'status',
      manager: MANAGER,
    });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const changed = structuredClone(live!) as StorageVersionMigration;
      setCondition(changed, condition, Date.now());
      if (outcome !== undefined) setCondition(changed, outcome, Date.now());
      if (resourceVersion !== undefined) changed.status.resourceVersion ??= resourceVersion;
      return recordOwnership(write, live, changed);
    };
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
      this.#queue.addLater(resourceOf(migration), RETRY_MS);
    }
  }
}

const isFinished = (migration: StorageVersionMigration): boolean =>
  isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed');

function resourceOf({ spec }: StorageVersionMigration): string {
  const { group, resource } = spec.resource;
  return group === '' ? resource : `${resource}.${group}`;
}

function byAge(a: StorageVersionMigration, b: StorageVersionMigration): number {
  const ages = [a, b].map(({ metadata }) => metadata.creationTimestamp ?? '');
  return ages[0] === ages[1] ? (a.metadata.name! < b.metadata.name! ? -1 : 1) : ages[0]! < ages[1]! ? -1 : 1;
}

function failureText(left: number, total: number, reasons: readonly string[]): string {
  const more = left > reasons.length ? `; and ${left - reasons.length} more` : '';
  return `${left}/${total} not yet migrated. migration encountered unhandled error: ${reasons.join('; ')}${more}`.slice(
    0,
    32_000,
  );
}
