// Follows CustomResourceDefinitions: accepts their names, serves their resources, and on deletion deletes the
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
  nonStructuralConditionInSteps,
  removeCleanupFinalizer,
  removeCondition,
  setCondition,
  terminatingConditions,
} from '@instar/crd';
import { ApiError, deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { finishInSlices, TimeSlice } from '../../objects/time-slice.ts';
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
/** Objects with finalizers may take a while. */
const RETRY_MS = 300;

type AcceptedNames = CustomResourceDefinition['status']['acceptedNames'];

/** What a definition was last served from: it is made again only if this changes. */
interface Served {
  readonly group: string;
  readonly plural: string;
  readonly fingerprint: string;
  /** If this changes, clients see the objects or the resource differently, and watches end. */
  readonly appearance: string;
  readonly schemas: SchemaCache;
  readonly forms: { readonly key: string; readonly generation: object };
}

export class CrdController {
  readonly #registry: ResourceRegistry;
  readonly #crds: Resource;
  readonly #converters: Converters;
  readonly #queue: WorkQueue;
  /** A queue of its own: other definitions must be served while many objects are deleted. */
  readonly #finalizing: WorkQueue;
  readonly #served = new Map<string, Served>();
  /** The names of each definition, so that not all definitions must be read to decide on one. */
  readonly #names = new Map<string, NamedDefinition>();
  readonly #follower: CacheFollower;
  /**
   * Every server serves definitions; of those over the same storage, only one decides on names and
   * conditions, and deletes objects.
   */
  #isDeciding = true;

  constructor(registry: ResourceRegistry, crds: Resource, converters: Converters, log: Log) {
    this.#registry = registry;
    this.#crds = crds;
    this.#converters = converters;
    this.#queue = new WorkQueue({
      work: (name) => this.#sync(name),
      onError: (name, error) =>
        log.warn({ crd: name, err: error }, 'a definition could not be reconciled yet'),
      concurrency: 8,
    });
    this.#finalizing = new WorkQueue({
      work: (name) => this.#finalize(name),
      onError: (name, error) =>
        log.warn({ crd: name, err: error }, 'the objects of a definition could not be deleted yet'),
    });
    this.#follower = new CacheFollower(crds.cache, {
      onState: (objects) => this.#addAll(objects),
      onEvent: ({ object }) => this.#queue.add(object.metadata.name!),
      onError: (error) => log.error({ err: error }, 'definitions cannot be followed'),
    });
  }

  /** Resolves when every existing definition is served. */
  async start(): Promise<void> {
    await this.#crds.cache.waitUntilFresh();
    await this.#follower.start();
  }

  /** Reconciles a definition because of a change elsewhere, as of its lens. */
  requeue(name: string): void {
    this.#queue.add(name);
  }

  /** Resolves when what is known of a definition and its lens is in effect. */
  settled(name: string): Promise<void> {
    return this.#queue.settled(name);
  }

  /** Must be stopped before `start` if another server may be the one that decides. */
  readonly decisions = {
    start: async (): Promise<void> => {
      this.#isDeciding = true;
      await this.#crds.cache.waitUntilFresh();
      for (const cached of this.#crds.cache.values()) this.#queue.add(cached.metadata.name!);
    },
    stop: (): void => {
      this.#isDeciding = false;
    },
  };

  #addAll(objects: Iterable<CachedObject>): void {
    const missing = new Set(this.#names.keys());
    for (const cached of objects) {
      const name = cached.metadata.name!;
      missing.delete(name);
      this.#queue.add(name);
      this.#serveIfPossible(cached);
    }
    for (const name of missing) this.#queue.add(name);
  }

  /** A definition that cannot be served must not affect others: the queue reports its error later. */
  #serveIfPossible(cached: CachedObject): void {
    try {
      // All at once: nothing is served yet, or everything has to be looked at again.
      Array.from(this.#serve(cached));
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
    const slice = new TimeSlice();
    const crd = parseDefinition(this.#crds, cached);
    await slice.yieldIfOver();
    const updated = this.#isDeciding ? await this.#withStatus(crd, slice) : undefined;
    await slice.yieldIfOver();
    if (updated !== undefined) {
      await this.#updateStatus(name, () => updated.status, crd.metadata.resourceVersion);
      this.#wakeGroup(crd.spec.group, name);
      return;
    }
    await finishInSlices(this.#serve(cached, crd), slice);
    if (this.#isDeciding && isBeingDeleted(crd) && hasCleanupFinalizer(crd)) this.#finalizing.add(name);
  }

  /**
   * The definition with the names and conditions that follow from its spec; undefined if it has them already.
   */
  async #withStatus(
    crd: CustomResourceDefinition,
    slice: TimeSlice,
  ): Promise<CustomResourceDefinition | undefined> {
    const nonStructural = await finishInSlices(nonStructuralConditionInSteps(crd), slice);
    // Names and conditions are all that changes: the rest, which may be long, is not copied.
    const next = { ...crd, status: structuredClone(crd.status) };
    const now = Date.now();
    const approval = approvalCondition(crd);
    if (approval !== undefined) setCondition(next, approval, now);
    if (nonStructural !== undefined) setCondition(next, nonStructural, now);
    else if (findCondition(crd, 'NonStructuralSchema') !== undefined)
      removeCondition(next, 'NonStructuralSchema');
    if (!hasAllNames(crd) || !isConditionTrue(crd, 'Established')) this.#acceptNames(next, now);
    return deepEqual(asValue(next.status), asValue(crd.status)) ? undefined : next;
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
    // From now on no other definition gets these names, although they are not written yet.
    this.#recordNames(next);
  }

  /** Another definition may be waiting for a name that is released. */
  #wakeGroup(group: string, except: string): void {
    for (const [name, { spec }] of this.#names)
      if (spec.group === group && name !== except) this.#queue.add(name);
  }

  #recordNames({ metadata, spec, status }: CustomResourceDefinition): void {
    this.#names.set(metadata.name!, {
      spec: { group: spec.group },
      status: { acceptedNames: status.acceptedNames },
    });
  }

  *#serve(cached: CachedObject, crd = parseDefinition(this.#crds, cached)): Generator<undefined, void> {
    const name = crd.metadata.name!;
    this.#recordNames(crd);
    if (!isConditionTrue(crd, 'NamesAccepted') && !isConditionTrue(crd, 'Established')) return;
    const terminating = isBeingDeleted(crd) || isConditionTrue(crd, 'Terminating');
    const known = this.#served.get(name);
    // Built-in resources take precedence, as upstream.
    if (
      known === undefined &&
      this.#registry.get(crd.spec.group, crd.status.acceptedNames.plural) !== undefined
    )
      return;
    const { acceptedNames } = crd.status;
    const conversion = this.#converters.revision(crd);
    const fingerprint = digestOf([crd.spec, acceptedNames, terminating, conversion]);
    if (known?.fingerprint === fingerprint) return;
    yield;
    const appearance = digestOf([
      crd.metadata.generation,
      namesIn(acceptedNames),
      this.#converters.lensRevision(crd),
    ]);
    const schemas: SchemaCache = new Map();
    const forms = this.#formsOf(crd, known);
    yield;
    const parts = {
      schemas: known?.schemas ?? schemas,
      converter: this.#converters.for(crd),
      formGeneration: forms.generation,
      unavailable: this.#converters.unavailable(crd),
    };
    const definition = definitionOf(crd, parts, terminating);
    const resource = this.#registry.define(definition, cached.createRevision);
    if (known !== undefined && known.appearance !== appearance) resource.restartWatches(cached.revision);
    // Schemas that preserve unknown fields cannot be reused once pruning begins.
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

  /** Forms stay valid as long as the schemas, the storage version and the conversion do not change. */
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
    const crd = this.#isDeciding ? findDefinition(this.#crds, name) : undefined;
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

  /** True if no object is left. */
  async #deleteInstances(resource: Resource): Promise<boolean> {
    await resource.cache.waitUntilFresh();
    const [failure] = await deleteAllInternally(resource, [...resource.cache.values()]);
    if (failure !== undefined) throw failure;
    await resource.cache.waitUntilFresh();
    return resource.cache.size === 0;
  }

  async #setTerminating(name: string, condition: NewCondition, isDone = false): Promise<void> {
    await this.#update(name, (crd) => {
      setCondition(crd, condition, Date.now());
      if (isDone) removeCleanupFinalizer(crd);
    });
  }

  async #updateStatus(
    name: string,
    status: () => CustomResourceDefinition['status'],
    resourceVersion: string | undefined,
  ): Promise<void> {
    await this.#update(name, (crd) => {
      // Another write came first: its event adds the definition to the queue again.
      if (crd.metadata.resourceVersion === resourceVersion) crd.status = status();
    });
  }

  async #update(name: string, change: (crd: CustomResourceDefinition) => void): Promise<void> {
    const write = internalWrite({ resource: this.#crds, name, subresource: 'status', manager: MANAGER });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const { metadata, status } = live as CustomResourceDefinition;
      // Only these change.
      const crd = {
        ...(live as CustomResourceDefinition),
        metadata: structuredClone(metadata),
        status: structuredClone(status),
      };
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

const asValue = (status: CustomResourceDefinition['status']) => status as unknown as JsonValue;

/** In a fixed order, independent of the order in which the client sent them. */
const namesIn = ({ plural, singular, kind, listKind, shortNames, categories }: AcceptedNames) => [
  plural,
  singular,
  kind,
  listKind,
  shortNames,
  categories,
];
