// Follows CustomResourceDefinitions: accepts their names, serves their resources, and on deletion removes the
// objects first.
import {
  approvalCondition,
  type CustomResourceDefinition,
  decideNames,
  establishedCondition,
  findCondition,
  hasAllNames,
  hasCleanupFinalizer,
  isBeingDeleted,
  isConditionTrue,
  type NamedDefinition,
  type NewCondition,
  nonStructuralCondition,
  removeCleanupFinalizer,
  removeCondition,
  setCondition,
  terminatingConditions,
} from '@instar/crd';
import { ApiError, asJson, deepEqual, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { deleteAllInternally } from '../controllers/internal-deletes.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { definitionOf, type SchemaCache } from '../definitions/definition.ts';
import { digestOf } from '../definitions/digest.ts';
import { findDefinition, parseDefinition } from '../definitions/stored-definition.ts';
import type { Converters } from './converters.ts';

const MANAGER = 'kube-apiserver';
/** Objects with finalizers of their own take their time. */
const RETRY_MS = 300;

type AcceptedNames = CustomResourceDefinition['status']['acceptedNames'];

/** What a definition was last served from: it is made anew only when this changes. */
interface Served {
  readonly group: string;
  readonly plural: string;
  readonly fingerprint: string;
  /** When this changes, clients see the objects or the resource differently, and watches end. */
  readonly appearance: string;
  readonly schemas: SchemaCache;
  readonly forms: { readonly key: string; readonly generation: object };
}

export class CrdController {
  readonly #registry: ResourceRegistry;
  readonly #crds: Resource;
  readonly #converters: Converters;
  readonly #queue: WorkQueue;
  /** Removing many objects takes time, in which other definitions want to be served. */
  readonly #finalizing: WorkQueue;
  readonly #served = new Map<string, Served>();
  /** The names that each definition has, so that deciding on one does not mean reading all. */
  readonly #names = new Map<string, NamedDefinition>();
  readonly #follower: CacheFollower;
  /**
   * Every server serves definitions; only one of those over the same storage decides on names and conditions,
   * and removes objects.
   */
  #decides = true;

  constructor(registry: ResourceRegistry, crds: Resource, converters: Converters, log: Log) {
    this.#registry = registry;
    this.#crds = crds;
    this.#converters = converters;
    this.#queue = new WorkQueue({
      work: (name) => this.#sync(name),
      onError: (name, error) =>
        log.warn({ crd: name, err: error }, 'a definition could not be brought up to date yet'),
      concurrency: 8,
    });
    this.#finalizing = new WorkQueue({
      work: (name) => this.#finalize(name),
      onError: (name, error) =>
        log.warn({ crd: name, err: error }, 'the objects of a definition could not be removed yet'),
    });
    this.#follower = new CacheFollower(crds.cache, {
      onState: (objects) => this.#noteAll(objects),
      onEvent: ({ object }) => this.#queue.add(object.metadata.name!),
      onError: (error) => log.error({ err: error }, 'definitions cannot be followed'),
    });
  }

  /** Resolves when every definition that is already there is served. */
  async start(): Promise<void> {
    await this.#crds.cache.waitUntilFresh();
    await this.#follower.start();
  }

  /** Something besides the definition has changed that it is served by. */
  reconsider(name: string): void {
    this.#queue.add(name);
  }

  /** To be stopped before the start where another server may be the one that decides. */
  readonly decisions = {
    start: async (): Promise<void> => {
      this.#decides = true;
      await this.#crds.cache.waitUntilFresh();
      for (const cached of this.#crds.cache.values()) this.#queue.add(cached.metadata.name!);
    },
    stop: (): void => {
      this.#decides = false;
    },
  };

  #noteAll(objects: Iterable<CachedObject>): void {
    const gone = new Set(this.#names.keys());
    for (const cached of objects) {
      const name = cached.metadata.name!;
      gone.delete(name);
      this.#queue.add(name);
      this.#serveIfPossible(cached);
    }
    for (const name of gone) this.#queue.add(name);
  }

  /** One definition that cannot be served keeps no other: the queue tells why when its turn comes. */
  #serveIfPossible(cached: CachedObject): void {
    try {
      this.#serve(cached);
    } catch {
      // It is in the queue.
    }
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await Promise.all([this.#queue.close(), this.#finalizing.close()]);
  }

  #find(name: string): CachedObject | undefined {
    return this.#crds.cache.get(this.#crds.key('', name));
  }

  async #sync(name: string): Promise<void> {
    const cached = this.#find(name);
    if (cached === undefined) {
      this.#names.delete(name);
      this.#unserve(name);
      return;
    }
    const crd = parseDefinition(this.#crds, cached);
    const updated = this.#decides ? this.#withStatus(crd) : undefined;
    if (updated !== undefined) {
      await this.#updateStatus(name, () => updated.status, crd.metadata.resourceVersion);
      this.#wakeGroup(crd.spec.group, name);
      return;
    }
    this.#serve(cached, crd);
    if (this.#decides && isBeingDeleted(crd) && hasCleanupFinalizer(crd)) this.#finalizing.add(name);
  }

  /**
   * The definition with the names and conditions that follow from its spec; undefined if it has them already.
   */
  #withStatus(crd: CustomResourceDefinition): CustomResourceDefinition | undefined {
    const next = structuredClone(crd);
    const now = Date.now();
    const approval = approvalCondition(crd);
    if (approval !== undefined) setCondition(next, approval, now);
    const nonStructural = nonStructuralCondition(crd);
    if (nonStructural !== undefined) setCondition(next, nonStructural, now);
    else if (findCondition(crd, 'NonStructuralSchema') !== undefined)
      removeCondition(next, 'NonStructuralSchema');
    if (!hasAllNames(crd) || !isConditionTrue(crd, 'Established')) this.#acceptNames(next, now);
    return deepEqual(asJson(next), asJson(crd)) ? undefined : next;
  }

  #acceptNames(next: CustomResourceDefinition, now: number): void {
    const { acceptedNames, namesAccepted, established } = decideNames(next, this.#names.values());
    next.status.acceptedNames = acceptedNames;
    setCondition(next, namesAccepted, now);
    setCondition(next, established, now);
    // Upstream waits a few seconds before this step, for other servers to catch up; here the resource is
    // served as soon as it is established.
    const complete = establishedCondition(next);
    if (complete !== undefined) setCondition(next, complete, now);
    // From now on nobody else gets these names, although they are not written yet.
    this.#noteNames(next);
  }

  /** A name that one definition gives up may be what another waits for. */
  #wakeGroup(group: string, except: string): void {
    for (const [name, { spec }] of this.#names)
      if (spec.group === group && name !== except) this.#queue.add(name);
  }

  #noteNames({ metadata, spec, status }: CustomResourceDefinition): void {
    this.#names.set(metadata.name!, {
      spec: { group: spec.group },
      status: { acceptedNames: status.acceptedNames },
    });
  }

  #serve(cached: CachedObject, crd = parseDefinition(this.#crds, cached)): void {
    const name = crd.metadata.name!;
    this.#noteNames(crd);
    if (!isConditionTrue(crd, 'NamesAccepted') && !isConditionTrue(crd, 'Established')) return;
    const terminating = isBeingDeleted(crd) || isConditionTrue(crd, 'Terminating');
    const known = this.#served.get(name);
    // What ships with the server goes before, as upstream.
    if (
      known === undefined &&
      this.#registry.get(crd.spec.group, crd.status.acceptedNames.plural) !== undefined
    )
      return;
    const conversion = this.#converters.revision(crd);
    const fingerprint = digestOf([crd.spec, crd.status.acceptedNames, terminating, conversion]);
    if (known?.fingerprint === fingerprint) return;
    const appearance = digestOf([crd.metadata.generation, namesIn(crd.status.acceptedNames), conversion]);
    const schemas: SchemaCache = new Map();
    const forms = this.#formsOf(crd, known);
    const parts = {
      schemas: known?.schemas ?? schemas,
      converter: this.#converters.for(crd),
      formGeneration: forms.generation,
      unavailable: this.#converters.unavailable(crd),
    };
    const definition = definitionOf(crd, parts, terminating);
    const resource = this.#registry.define(definition, cached.createRevision);
    if (known !== undefined && known.appearance !== appearance) resource.restartWatches(cached.revision);
    // Schemas that keep what they do not know are good for nothing once pruning begins.
    if (!crd.spec.preserveUnknownFields)
      for (const version of definition.versions) schemas.set(digestOf(version.schema.source), version.schema);
    this.#served.set(name, {
      group: definition.group,
      plural: definition.names.plural,
      fingerprint,
      appearance,
      schemas,
      forms,
    });
  }

  /**
   * Forms of objects stay good while nothing changes that they show: schemas, the storage version and
   * conversion.
   */
  #formsOf(crd: CustomResourceDefinition, known: Served | undefined): Served['forms'] {
    const schemas = crd.spec.versions.map(({ name, schema, storage }) => [name, storage, schema ?? null]);
    const key = digestOf([schemas, crd.spec.preserveUnknownFields ?? false, this.#converters.revision(crd)]);
    return known?.forms.key === key ? known.forms : { key, generation: {} };
  }

  #unserve(name: string): void {
    this.#converters.release(name);
    const served = this.#served.get(name);
    if (served === undefined) return;
    this.#registry.remove(served.group, served.plural);
    this.#served.delete(name);
    this.#wakeGroup(served.group, name);
  }

  async #finalize(name: string): Promise<void> {
    const crd = this.#decides ? findDefinition(this.#crds, name) : undefined;
    if (crd === undefined || !isBeingDeleted(crd) || !hasCleanupFinalizer(crd)) return;
    const resource = this.#registry.get(crd.spec.group, crd.spec.names.plural);
    if (resource === undefined || !isConditionTrue(crd, 'Established')) {
      await this.#setTerminating(name, terminatingConditions.neverEstablished, true);
      return;
    }
    await this.#setTerminating(name, terminatingConditions.inProgress);
    if (await this.#deleteInstances(resource))
      await this.#setTerminating(name, terminatingConditions.completed, true);
    else this.#finalizing.addLater(name, RETRY_MS);
  }

  /** True when nothing is left. */
  async #deleteInstances(resource: Resource): Promise<boolean> {
    await resource.cache.waitUntilFresh();
    const [failure] = await deleteAllInternally(resource, [...resource.cache.values()]);
    if (failure !== undefined) throw failure;
    await resource.cache.waitUntilFresh();
    return resource.cache.size === 0;
  }

  async #setTerminating(name: string, condition: NewCondition, done = false): Promise<void> {
    await this.#update(name, (crd) => {
      setCondition(crd, condition, Date.now());
      if (done) removeCleanupFinalizer(crd);
    });
  }

  async #updateStatus(
    name: string,
    status: () => CustomResourceDefinition['status'],
    resourceVersion: string | undefined,
  ): Promise<void> {
    await this.#update(name, (crd) => {
      // Somebody was faster: the event of that write brings us back.
      if (crd.metadata.resourceVersion === resourceVersion) crd.status = status();
    });
  }

  async #update(name: string, change: (crd: CustomResourceDefinition) => void): Promise<void> {
    const write = internalWrite({ resource: this.#crds, name, subresource: 'status', manager: MANAGER });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const crd = structuredClone(live!) as CustomResourceDefinition;
      change(crd);
      return recordOwnership(write, live, crd);
    };
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }
}

/** In one order, whichever the client sent them in. */
const namesIn = ({ plural, singular, kind, listKind, shortNames, categories }: AcceptedNames) => [
  plural,
  singular,
  kind,
  listKind,
  shortNames,
  categories,
];
