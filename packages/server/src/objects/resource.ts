// One resource at run time: its definition, its cache, and the forms of its objects in each version. Reads
// end here; writes are in write/.
import {
  ConversionFailure,
  type ConversionSource,
  convertOne,
  type ImmediateConverter,
  isFailure,
  sourceOf,
} from '@instar/convert';
import { STASH_ANNOTATION, takeStash } from '@instar/lens';
import {
  apiErrors,
  asJson,
  deepEqual,
  type GroupResource,
  gvkOf,
  invariant,
  isKnownJson,
  type KubeObject,
  type ObjectMeta,
  printGvk,
} from '@instar/machinery';
import type { Store } from '@instar/store';
import { parseOwnBytes } from '../wire/own-json.ts';
import { BriefWait } from './brief-wait.ts';
import { type CachedObject, encodeForClient, encodeForStore, withRevision } from './cached-object.ts';
import { ConversionError } from './conversion-error.ts';
import type { ResourceDefinition, VersionDefinition } from './definition.ts';
import type { FormBudget } from './form-budget.ts';
import { FormConversions, type FormOutcome } from './form-conversions.ts';
import { FormFailures } from './form-failures.ts';
import { type StoredForm, StoredSource } from './stored-source.ts';
import { ResourceCache } from './watch/resource-cache.ts';
import { Turns } from './write/turns.ts';

export interface ResourceOptions {
  readonly store: Store;
  /** "/registry/" as kube-apiserver has it. */
  readonly registryPrefix: string;
  readonly historyFloor: number;
  readonly maxLogEvents: number;
  readonly maxLogBytes: number;
  readonly formBudget: FormBudget;
}

const STASH = Buffer.from(JSON.stringify(STASH_ANNOTATION));

/** How long a list may keep the event loop before it lets others in. */
const SLICE_MS = 8;

/** What is known of bytes that are on their way to the store, for when they come back in an event. */
export interface Remembered {
  /** What the bytes were made from: nobody need parse them again. */
  readonly object: KubeObject;
  /** Under which the rest of this holds: the definition may change before the bytes come back. */
  readonly generation: object | undefined;
  /** True: a read in the version of storage shows the bytes as they are. */
  readonly isComplete: boolean;
  /** The same object in another version, encoded as for the store. */
  readonly form?: {
    readonly apiVersion: string;
    readonly bytes: Uint8Array;
    readonly labels: ObjectMeta['labels'];
  };
}

/** Adds up the time that a request waits for conversions. */
export interface Waited {
  milliseconds: number;
}

export interface ReadOptions {
  /** Take the stored object, in whatever version it is: nothing is converted. */
  readonly asStored?: boolean;
  /**
   * Take the stored object, in whatever version it is, where it cannot be converted, or not soon: for whoever
   * looks at metadata only.
   */
  readonly orStored?: boolean;
  /** Told why, if so. */
  readonly warn?: (text: string) => void;
  /** Told of each object that cannot be converted, and why; there is no form of it then, and no error. */
  readonly skip?: (object: CachedObject, failure: ConversionFailure) => void;
  readonly waited?: Waited | undefined;
  /** Aborted when nobody waits any more: what has not been converted by then is not. */
  readonly signal?: AbortSignal | undefined;
}

export class Resource {
  #definition: ResourceDefinition;
  readonly store: Store;
  readonly cache: ResourceCache;
  readonly prefix: string;
  readonly turns = new Turns();
  /** Writes under way, by the bytes handed to the store. */
  readonly #written = new WeakMap<Uint8Array, Remembered>();
  readonly #budget: FormBudget;
  /** For the budget, which outlives resources. */
  readonly #cacheRef: WeakRef<ResourceCache>;
  #conversions: FormConversions | undefined;
  readonly #briefWait = new BriefWait();

  constructor(definition: ResourceDefinition, options: ResourceOptions) {
    this.#definition = definition;
    this.#conversions = this.#conversionsOf(definition);
    this.#budget = options.formBudget;
    this.store = options.store;
    this.prefix = options.registryPrefix + definition.storagePath;
    this.cache = new ResourceCache({
      ...options,
      prefix: this.prefix,
      onLoaded: (object, value) => this.recognise(object, value),
    });
    this.#cacheRef = new WeakRef(this.cache);
  }

  get definition(): ResourceDefinition {
    return this.#definition;
  }

  /**
   * Takes effect for every request from now on; forms made under the old definition are made anew when asked
   * for.
   */
  redefine(definition: ResourceDefinition): void {
    this.#definition = definition;
    this.#conversions = this.#conversionsOf(definition);
  }

  /** Forms of objects are good for one of these. */
  get formGeneration(): object {
    return this.#definition.formGeneration ?? this.#definition;
  }

  get groupResource(): GroupResource {
    return { group: this.#definition.group, resource: this.#definition.names.plural };
  }

  version(apiVersion: string): VersionDefinition | undefined {
    return this.#definition.versions.find((version) => version.apiVersion === apiVersion);
  }

  key(namespace: string, name: string): string {
    return this.#definition.namespaced ? `${this.prefix}${namespace}/${name}` : this.prefix + name;
  }

  /** The prefix of a namespace's keys, or of all with an empty namespace. */
  prefixOf(namespace: string): string {
    return namespace === '' ? this.prefix : `${this.prefix}${namespace}/`;
  }

  notFound(name: string) {
    return apiErrors.notFound(this.groupResource, name);
  }

  /**
   * The bytes that a client gets, if they are at hand or can be made without waiting. Throws a
   * ConversionError where they cannot be made.
   */
  formNow(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const outcome = this.#outcomeNow(cached, version);
    if (outcome !== undefined && isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
    return outcome;
  }

  /** The same, where it does not matter why there is none. */
  formIfPossible(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const outcome = this.#outcomeNow(cached, version);
    return outcome === undefined || isFailure(outcome) ? undefined : outcome;
  }

  #outcomeNow(cached: CachedObject, version: VersionDefinition): FormOutcome | undefined {
    const known = cached.form(version.apiVersion, this.formGeneration);
    if (known !== undefined) return known;
    if (cached.storedApiVersion === version.apiVersion) return this.#keepStored(cached, version);
    const { converter } = this.#definition;
    if (converter.convertNow === undefined) return undefined;
    const relabelled = converter.onlyRelabels ? this.#relabelled(cached, version) : undefined;
    if (relabelled !== undefined) return this.#keepJson(cached, version, relabelled);
    const converted = this.#convertStored(cached, version, converter);
    if (isFailure(converted)) return converted;
    return this.#keepConverted(
      cached,
      version,
      converted,
      converter.usesStash ? cached.metadata.labels : converted.metadata.labels,
    );
  }

  /**
   * All that stands behind the resourceVersion, where the other version differs in nothing but its name;
   * undefined if that is not certain.
   */
  #relabelled(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const stored = this.version(cached.storedApiVersion);
    const shape = version.schema.shape('pruned');
    if (
      stored === undefined ||
      shape === undefined ||
      stored.decode !== undefined ||
      version.decode !== undefined
    )
      return undefined;
    const form = this.#storedForm(cached, stored);
    return isKnownJson(form, shape) ? cached.behindRevision(form) : undefined;
  }

  /** What is stored, complete, in another version; with the stash, if there is one. */
  #convertStored(
    cached: CachedObject,
    version: VersionDefinition,
    converter: ImmediateConverter,
  ): KubeObject | ConversionFailure {
    const stored = this.version(cached.storedApiVersion);
    if (stored === undefined) return this.#unknownVersion(cached, version);
    const object = cached.parse();
    complete(object, stored);
    return failureOr(() => converter.convertNow(object, version.apiVersion));
  }

  async form(
    cached: CachedObject,
    version: VersionDefinition,
    options: ReadOptions = {},
  ): Promise<Uint8Array> {
    const atHand = options.asStored ? undefined : this.formIfPossible(cached, version);
    return atHand ?? (await this.forms([cached], version, options))[0]!;
  }

  /** The forms of many objects. Those that must be converted travel together. */
  async forms(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    options: ReadOptions = {},
  ): Promise<Uint8Array[]> {
    const out = new Array<Uint8Array>(objects.length);
    const waiting: number[] = [];
    const failures = new FormFailures(objects, out, options, (object) => this.#asStored(object));
    const conversions = this.#conversions;
    let sliceEnd = performance.now() + SLICE_MS;
    for (let i = 0; i < objects.length; i++) {
      const outcome = options.asStored
        ? this.#inStoredVersion(objects[i]!)
        : this.#outcomeNow(objects[i]!, version);
      if (outcome === undefined) waiting.push(i);
      else failures.settle(i, outcome);
      if ((i & 63) === 63 && performance.now() > sliceEnd) {
        await new Promise((resume) => setImmediate(resume));
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    if (waiting.length > 0) {
      // The definition may have changed in the meantime, to one that has nothing to wait for.
      const by = this.#conversions ?? conversions;
      await timed(options.waited, () =>
        options.orStored
          ? this.#convertBriefly(by, failures, objects, waiting, version)
          : this.#convertInto(by, failures, objects, waiting, version, options.signal),
      );
    }
    options.signal?.throwIfAborted();
    failures.report();
    return out;
  }

  /**
   * Makes forms that will be asked for soon, all together. What cannot be converted is told when it is asked
   * for.
   */
  async makeForms(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    { orStored }: ReadOptions,
  ): Promise<void> {
    await this.forms(objects, version, orStored ? { orStored } : { skip: () => {} });
  }

  /** A fresh object in the asked version, for the caller to change. */
  async object(
    cached: CachedObject,
    version: VersionDefinition,
    options: ReadOptions = {},
  ): Promise<KubeObject> {
    return parseOwnBytes(await this.form(cached, version, options)) as unknown as KubeObject;
  }

  /** An object that is not (or not yet) stored in another version: neither pruned nor defaulted there. */
  async convert(object: KubeObject, toApiVersion: string, waited?: Waited): Promise<KubeObject> {
    if (object.apiVersion === toApiVersion) return object;
    const converted = await this.convertWithStash(object, toApiVersion, waited);
    return this.#definition.converter.usesStash ? takeStash(converted).object : converted;
  }

  /** The same for whoever converts it back afterwards: with what the version cannot hold. */
  async convertWithStash(object: KubeObject, toApiVersion: string, waited?: Waited): Promise<KubeObject> {
    const { converter } = this.#definition;
    if (object.apiVersion === toApiVersion) return object;
    const outcome =
      converter.convertNow === undefined
        ? await timed(waited, () => convertOne(converter, sourceOf(object), toApiVersion))
        : failureOr(() => converter.convertNow(object, toApiVersion));
    if (isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
    return outcome;
  }

  /**
   * An object (in any version) in the version of storage, as it is to be stored. Where a lens converts, what
   * the stored version cannot hold is stashed in it, and what the version of the client could not show is
   * taken over from what is stored now.
   */
  async convertToStore(
    object: KubeObject,
    stored: CachedObject | undefined,
    waited?: Waited,
  ): Promise<KubeObject> {
    const { storageApiVersion, converter } = this.#definition;
    if (!converter.usesStash) return this.convert(object, storageApiVersion, waited);
    const outcome = failureOr(() =>
      converter.convertNow(this.#withStashOf(stored, takeStash(object).object, converter), storageApiVersion),
    );
    if (isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
    return outcome;
  }

  #withStashOf(
    stored: CachedObject | undefined,
    object: KubeObject,
    converter: ImmediateConverter,
  ): KubeObject {
    const version = this.version(object.apiVersion);
    if (stored === undefined || version === undefined) return object;
    const converted = this.#convertStored(stored, version, converter);
    const stash = isFailure(converted) ? undefined : converted.metadata.annotations?.[STASH_ANNOTATION];
    if (stash === undefined) return object;
    return {
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { ...object.metadata.annotations, [STASH_ANNOTATION]: stash },
      },
    };
  }

  /**
   * What is stored in another version as a write that changes nothing would store it, given its form in the
   * version of storage.
   */
  bytesToStore(cached: CachedObject, form: Uint8Array): Uint8Array {
    const { converter, storageApiVersion } = this.#definition;
    const version = this.version(storageApiVersion);
    if (!converter.usesStash || version === undefined) return cached.withoutRevision(form);
    const converted = this.#convertStored(cached, version, converter);
    invariant(!isFailure(converted), 'an object that was converted cannot be converted');
    prune(converted, version);
    return encodeForStore(converted);
  }

  /** True if the labels of objects may be others in another version than those that are stored. */
  get convertsLabels(): boolean {
    const { convertNow, usesStash } = this.#definition.converter;
    return convertNow === undefined || usesStash === true;
  }

  /**
   * Says what is known of bytes that are about to be stored; `forget` says that they are, which no collector
   * notices as soon.
   */
  remember(value: Uint8Array, remembered: Remembered): void {
    this.#written.set(value, remembered);
  }

  forget(value: Uint8Array): void {
    this.#written.delete(value);
  }

  /** Gives an object that was made of stored bytes what was known of them when they were written. */
  recognise(cached: CachedObject, value: Uint8Array): void {
    const remembered = this.#written.get(value);
    if (remembered === undefined) return;
    const { object, generation, isComplete, form } = remembered;
    cached.seed(object.metadata, object.apiVersion);
    if (generation !== this.formGeneration) return;
    if (isComplete) {
      cached.keepForm(object.apiVersion, this.formGeneration, cached.raw);
      cached.keepComplete(this.version(object.apiVersion)!.schema);
    }
    if (form !== undefined)
      this.#keep(cached, form.apiVersion, withRevision(form.bytes, cached.revision), form.labels ?? {});
  }

  #conversionsOf({ converter, versions, names }: ResourceDefinition): FormConversions | undefined {
    if (converter.convertNow !== undefined) return undefined;
    const generation = this.formGeneration;
    // Which of them is stored is asked for every object of a list.
    const byApiVersion = new Map(versions.map((version) => [version.apiVersion, version]));
    const storedForm: StoredForm = (cached, stored) => this.#storedForm(cached, stored);
    return new FormConversions({
      converter,
      refusal: (cached, to) =>
        byApiVersion.has(cached.storedApiVersion) ? undefined : this.#unknownVersion(cached, to),
      source: (cached) =>
        new StoredSource(cached, names.kind, byApiVersion.get(cached.storedApiVersion)!, storedForm),
      keep: (cached, version, object, source) =>
        this.#keepConverted(cached, version, object, source.metadata.labels, generation),
      keepJson: (cached, version, rest) => this.#keepJson(cached, version, rest, generation),
    });
  }

  /**
   * What takes longer is told of as stored, and kept for whoever asks later: for that it goes on even if the
   * client has gone.
   */
  async #convertBriefly(
    by: FormConversions | undefined,
    failures: FormFailures,
    objects: readonly CachedObject[],
    waiting: number[],
    version: VersionDefinition,
  ) {
    const open = new Set(waiting);
    const settle = (i: number, outcome: FormOutcome): void => {
      if (!isFailure(outcome)) this.#briefWait.answered();
      if (open.delete(i)) failures.settle(i, outcome);
    };
    if (
      await this.#briefWait.isOver(
        this.#convertInto(by, { settle, endsWithFirst: false }, objects, waiting, version),
      )
    )
      return;
    const late = [...open];
    open.clear();
    for (const i of late) failures.settle(i, this.#notYetConverted(objects[i]!, version));
  }

  async #convertInto(
    by: FormConversions | undefined,
    failures: Pick<FormFailures, 'settle' | 'endsWithFirst'>,
    objects: readonly CachedObject[],
    waiting: number[],
    version: VersionDefinition,
    signal?: AbortSignal,
  ) {
    invariant(by !== undefined, 'an object has to be converted, but there is nothing to wait for');
    await by.convert(
      waiting.map((i) => objects[i]!),
      version,
      (at, outcome) => failures.settle(waiting[at]!, outcome),
      { stopsAtFirst: failures.endsWithFirst, isAborted: signal && (() => signal.aborted) },
    );
  }

  /**
   * The object in the version it is stored in, pruned and defaulted by that version's schema, which is how
   * converters get it.
   */
  #storedForm(cached: CachedObject, version: VersionDefinition): Uint8Array {
    return cached.form(version.apiVersion, this.formGeneration) ?? this.#keepStored(cached, version);
  }

  /**
   * What a client of the version that the object is stored in gets, or as much as can be known of a version
   * that is no longer defined.
   */
  #inStoredVersion(cached: CachedObject): Uint8Array {
    const version = this.version(cached.storedApiVersion);
    return version === undefined ? this.#asStored(cached) : this.#storedForm(cached, version);
  }

  /** Somebody has removed a version from the definition in which objects are still stored. */
  #unknownVersion(cached: CachedObject, to: VersionDefinition): ConversionFailure {
    const text = `request to convert CR from an invalid group/version: ${cached.storedApiVersion}`;
    return new ConversionFailure(text, 'unknown-version', this.#rawSource(cached), to.apiVersion);
  }

  #notYetConverted(cached: CachedObject, to: VersionDefinition): ConversionFailure {
    const gvk = printGvk(gvkOf(cached.storedApiVersion, this.#definition.names.kind));
    const text = `conversion webhook for ${gvk} has not answered yet`;
    return new ConversionFailure(text, 'timeout', this.#rawSource(cached), to.apiVersion, {
      isUnreachable: true,
    });
  }

  #rawSource(cached: CachedObject): ConversionSource {
    const { storedApiVersion: apiVersion, metadata } = cached;
    return {
      apiVersion,
      kind: this.#definition.names.kind,
      metadata,
      json: () => cached.cutAtRevision(cached.raw),
    };
  }

  #keepStored(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const bytes = this.#isComplete(cached, version) ? cached.raw : this.#completed(cached, version);
    return this.#isCurrent(version) ? this.#keep(cached, version.apiVersion, bytes) : bytes;
  }

  /** False if it is not known without parsing. */
  #isComplete(cached: CachedObject, version: VersionDefinition): boolean {
    if (this.#definition.converter.convertNow !== undefined && cached.mentions(STASH)) return false;
    if (cached.isCompleteBy(version.schema)) return true;
    const shape = version.schema.shape('pruned and defaulted');
    if (version.decode !== undefined || shape === undefined || !isKnownJson(cached.raw, shape)) return false;
    cached.keepComplete(version.schema);
    return true;
  }

  #completed(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const object = cached.parse();
    const isChanged = complete(object, version);
    return this.#hideStash(object) || isChanged ? encodeForClient(object) : cached.raw;
  }

  /** What a conversion has made is pruned but, as upstream, not defaulted. */
  #keepConverted(
    cached: CachedObject,
    version: VersionDefinition,
    object: KubeObject,
    storedLabels: ObjectMeta['labels'],
    generation = this.formGeneration,
  ): Uint8Array {
    prune(object, version);
    this.#hideStash(object);
    const { resourceVersion: _, ...metadata } = object.metadata;
    const bytes = encodeForClient({
      ...object,
      metadata: { resourceVersion: String(cached.revision), ...metadata },
    });
    if (!this.#isCurrent(version, generation)) return bytes;
    const areOwn = !deepEqual(metadata.labels ?? {}, storedLabels ?? {});
    return this.#keep(cached, version.apiVersion, bytes, areOwn ? (metadata.labels ?? {}) : undefined);
  }

  /** What a conversion has made that need not be pruned, and whose metadata is as it was. */
  #keepJson(
    cached: CachedObject,
    version: VersionDefinition,
    rest: Uint8Array,
    generation = this.formGeneration,
  ): Uint8Array {
    const bytes = cached.formOf(version.apiVersion, this.#definition.names.kind, rest);
    return this.#isCurrent(version, generation) ? this.#keep(cached, version.apiVersion, bytes) : bytes;
  }

  /**
   * A form that was made under conditions that hold no longer is good enough for whoever asked before that,
   * and for nobody after.
   */
  #isCurrent(version: VersionDefinition, generation = this.formGeneration): boolean {
    return generation === this.formGeneration && this.version(version.apiVersion)?.schema === version.schema;
  }

  /**
   * Takes out what a lens keeps aside, in place; true if there was any. Somebody may have removed the lens
   * since. Under a webhook the annotation is the webhook's own, which needs it back.
   */
  #hideStash(object: KubeObject): boolean {
    if (this.#definition.converter.convertNow === undefined) return false;
    const bare = takeStash(object).object;
    if (bare === object) return false;
    object.metadata = bare.metadata;
    return true;
  }

  #asStored(cached: CachedObject): Uint8Array {
    if (cached.metadata.annotations?.[STASH_ANNOTATION] === undefined) return cached.raw;
    const object = cached.parse();
    return this.#hideStash(object) ? encodeForClient(object) : cached.raw;
  }

  #keep(
    cached: CachedObject,
    apiVersion: string,
    bytes: Uint8Array,
    labels?: ObjectMeta['labels'],
  ): Uint8Array {
    cached.keepForm(apiVersion, this.formGeneration, bytes, labels);
    if (bytes !== cached.raw)
      this.#budget.add(this.#cacheRef, cached, apiVersion, this.formGeneration, bytes.byteLength);
    return bytes;
  }
}

/**
 * Prunes and defaults an object by the schema of its version, in place; true if anything changed. Typed kinds
 * are complete as they are decoded: upstream's storage holds their Go values.
 */
export function complete(object: KubeObject, version: VersionDefinition): boolean {
  if (version.decode !== undefined) return false;
  let isPruned = false;
  const onChange = (): void => {
    isPruned = true;
  };
  const hadUnknown = version.schema.prune(asJson(object), { onChange }).length > 0;
  return version.schema.applyDefaults(asJson(object)) || isPruned || hadUnknown;
}

export function prune(object: KubeObject, version: VersionDefinition): void {
  if (version.decode === undefined) version.schema.prune(asJson(object));
}

function failureOr<T>(convert: () => T): T | ConversionFailure {
  try {
    return convert();
  } catch (error) {
    if (error instanceof ConversionFailure) return error;
    throw error;
  }
}

async function timed<T>(waited: Waited | undefined, work: () => Promise<T>): Promise<T> {
  if (waited === undefined) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    waited.milliseconds += performance.now() - start;
  }
}
