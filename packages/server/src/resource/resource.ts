// One resource at run time: its definition, its cache, and the forms of its objects in each version. Reads end here; writes are in write/.
import { ConversionFailure, type ConversionSource, convertOne, isFailure, sourceOf } from '@instar/convert';
import { apiErrors, asJson, deepEqual, type GroupResource, invariant, type KubeObject, type ObjectMeta } from '@instar/machinery';
import type { Store } from '@instar/store';
import { ResourceCache } from '../watch/resource-cache.ts';
import { type CachedObject, encodeForClient, parseOwnBytes, withRevision } from './cached-object.ts';
import { ConversionError } from './conversion-error.ts';
import type { ResourceDefinition, VersionDefinition } from './definition.ts';
import type { FormBudget } from './form-budget.ts';
import { FormConversions } from './form-conversions.ts';
import { type StoredForm, StoredSource } from './stored-source.ts';
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

/** How long a list may keep the event loop before it lets others in. */
const SLICE_MS = 8;

/** What is known of bytes that are on their way to the store, for when they come back in an event. */
export interface Remembered {
  /** What the bytes were made from: nobody need parse them again. */
  readonly object: KubeObject;
  /** True: a read in the version of storage shows the bytes as they are. */
  readonly isComplete: boolean;
  /** The same object in another version, encoded as for the store. */
  readonly form?: { readonly apiVersion: string; readonly bytes: Uint8Array; readonly labels: ObjectMeta['labels'] };
}

/** Adds up the time that a request waits for conversions. */
export interface Waited {
  milliseconds: number;
}

export interface ReadOptions {
  /** Take the stored object, in whatever version it is, where it cannot be converted: for whoever looks at metadata only. */
  readonly orStored?: boolean;
  /** Told why, if so. */
  readonly warn?: (text: string) => void;
  /** Told of each object that cannot be converted, and why; there is no form of it then, and no error. */
  readonly skip?: (object: CachedObject, why: string) => void;
  readonly waited?: Waited | undefined;
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
  #conversions: FormConversions | undefined;

  constructor(definition: ResourceDefinition, options: ResourceOptions) {
    this.#definition = definition;
    this.#conversions = this.#conversionsOf(definition);
    this.#budget = options.formBudget;
    this.store = options.store;
    this.prefix = options.registryPrefix + definition.storagePath;
    this.cache = new ResourceCache({ ...options, prefix: this.prefix, onLoaded: (object, value) => this.recognise(object, value) });
  }

  get definition(): ResourceDefinition {
    return this.#definition;
  }

  /** Takes effect for every request from now on; forms made under the old definition are made anew when asked for. */
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

  /** The bytes that a client gets, if they are at hand or can be made without waiting. */
  formNow(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const known = cached.form(version.apiVersion, this.formGeneration);
    if (known !== undefined) return known;
    if (cached.storedApiVersion === version.apiVersion) return this.#keepStored(cached, version);
    const { converter } = this.#definition;
    if (converter.convertNow === undefined) return undefined;
    const object = cached.parse();
    complete(object, this.#storedVersion(cached, version));
    return this.#keepConverted(cached, version, converter.convertNow(object, version.apiVersion), object.metadata.labels);
  }

  async form(cached: CachedObject, version: VersionDefinition, options: ReadOptions = {}): Promise<Uint8Array> {
    return this.formNow(cached, version) ?? (await this.forms([cached], version, options))[0]!;
  }

  /** The forms of many objects. Those that must be converted travel together. */
  async forms(objects: readonly CachedObject[], version: VersionDefinition, options: ReadOptions = {}): Promise<Uint8Array[]> {
    const out = new Array<Uint8Array>(objects.length);
    const waiting: number[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (let i = 0; i < objects.length; i++) {
      const form = this.formNow(objects[i]!, version);
      if (form === undefined) waiting.push(i);
      else out[i] = form;
      if ((i & 63) === 63 && performance.now() > sliceEnd) {
        await new Promise((resume) => setImmediate(resume));
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    if (waiting.length > 0) await timed(options.waited, () => this.#convertInto(out, objects, waiting, version, options));
    return out;
  }

  /** Makes forms that will be asked for soon, all together. What cannot be converted is told when it is asked for. */
  async makeForms(objects: readonly CachedObject[], version: VersionDefinition): Promise<void> {
    await this.forms(objects, version, { orStored: true });
  }

  /** A fresh object in the asked version, for the caller to change. */
  async object(cached: CachedObject, version: VersionDefinition, options: ReadOptions = {}): Promise<KubeObject> {
    return parseOwnBytes(await this.form(cached, version, options)) as unknown as KubeObject;
  }

  /** An object that is not (or not yet) stored in another version: neither pruned nor defaulted there. */
  async convert(object: KubeObject, toApiVersion: string, waited?: Waited): Promise<KubeObject> {
    const { converter } = this.#definition;
    if (object.apiVersion === toApiVersion) return object;
    if (converter.convertNow !== undefined) return converter.convertNow(object, toApiVersion);
    const outcome = await timed(waited, () => convertOne(converter, sourceOf(object), toApiVersion));
    if (isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
    return outcome;
  }

  /** True if the labels of objects may be others in another version than those that are stored. */
  get convertsLabels(): boolean {
    return this.#definition.converter.convertNow === undefined;
  }

  /** Says what is known of bytes that are about to be stored. */
  remember(value: Uint8Array, remembered: Remembered): void {
    this.#written.set(value, remembered);
  }

  /** Gives an object that was made of stored bytes what was known of them when they were written. */
  recognise(cached: CachedObject, value: Uint8Array): void {
    const remembered = this.#written.get(value);
    if (remembered === undefined) return;
    const { object, isComplete, form } = remembered;
    cached.seed(object.metadata);
    if (isComplete) cached.keepForm(object.apiVersion, this.formGeneration, cached.raw);
    if (form !== undefined) this.#keep(cached, form.apiVersion, withRevision(form.bytes, cached.revision), form.labels ?? {});
  }

  #conversionsOf({ converter }: ResourceDefinition): FormConversions | undefined {
    if (converter.convertNow !== undefined) return undefined;
    const generation = this.formGeneration;
    return new FormConversions({
      converter,
      source: (cached, version) => this.#sourceOf(cached, version),
      keep: (cached, version, object, source) => this.#keepConverted(cached, version, object, source.metadata.labels, generation),
    });
  }

  async #convertInto(
    out: Uint8Array[],
    objects: readonly CachedObject[],
    waiting: number[],
    version: VersionDefinition,
    options: ReadOptions,
  ) {
    let failed: { index: number; failure: ConversionFailure } | undefined;
    const noteFailure = (index: number, failure: ConversionFailure): void => {
      if (options.orStored) out[index] = objects[index]!.raw;
      options.skip?.(objects[index]!, failure.message);
      if (failed === undefined || index < failed.index) failed = { index, failure };
    };
    invariant(this.#conversions !== undefined, 'an object has to be converted, but there is nothing to wait for');
    await this.#conversions.convert(
      waiting.map((i) => objects[i]!),
      version,
      (at, outcome) => {
        const index = waiting[at]!;
        if (isFailure(outcome)) noteFailure(index, outcome);
        else out[index] = outcome;
      },
    );
    if (failed === undefined || options.skip !== undefined) return;
    const error = new ConversionError(failed.failure, { withUid: objects.length > 1 });
    if (!options.orStored) throw error;
    options.warn?.(`metadata is shown as it is stored: ${error.message}`);
  }

  /** The object in the version it is stored in, pruned and defaulted by that version's schema, which is how converters get it. */
  #sourceOf(cached: CachedObject, to: VersionDefinition): ConversionSource | ConversionFailure {
    const stored = this.version(cached.storedApiVersion);
    if (stored === undefined) return this.#unknownVersion(cached, to);
    return new StoredSource(cached, this.#definition.names.kind, () => this.#storedForm(cached, stored));
  }

  #storedForm(cached: CachedObject, version: VersionDefinition): StoredForm {
    const bytes = cached.form(version.apiVersion, this.formGeneration);
    if (bytes !== undefined) return { bytes, metadata: cached.parseMetadata() };
    const object = cached.parse();
    return { bytes: this.#keepStored(cached, version, object), metadata: object.metadata };
  }

  #storedVersion(cached: CachedObject, to: VersionDefinition): VersionDefinition {
    const stored = this.version(cached.storedApiVersion);
    if (stored === undefined) throw new ConversionError(this.#unknownVersion(cached, to), { withUid: true });
    return stored;
  }

  /** Somebody has removed a version from the definition in which objects are still stored. */
  #unknownVersion(cached: CachedObject, to: VersionDefinition): ConversionFailure {
    const { storedApiVersion, metadata } = cached;
    const source = { apiVersion: storedApiVersion, kind: this.#definition.names.kind, metadata, json: () => cached.raw };
    const text = `request to convert CR from an invalid group/version: ${storedApiVersion}`;
    return new ConversionFailure(text, 'unknown-version', source, to.apiVersion);
  }

  #keepStored(cached: CachedObject, version: VersionDefinition, object = cached.parse()): Uint8Array {
    const bytes = complete(object, version) ? encodeForClient(object) : cached.raw;
    // A request that began under an older definition gets what it asked for; nobody after it does.
    return this.version(version.apiVersion) === version ? this.#keep(cached, version.apiVersion, bytes) : bytes;
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
    const { resourceVersion: _, ...metadata } = object.metadata;
    const bytes = encodeForClient({ ...object, metadata: { resourceVersion: String(cached.revision), ...metadata } });
    // Made under conditions that hold no longer: good enough for whoever asked before that.
    if (generation !== this.formGeneration) return bytes;
    const areOwn = !deepEqual(metadata.labels ?? {}, storedLabels ?? {});
    return this.#keep(cached, version.apiVersion, bytes, areOwn ? (metadata.labels ?? {}) : undefined);
  }

  #keep(cached: CachedObject, apiVersion: string, bytes: Uint8Array, labels?: ObjectMeta['labels']): Uint8Array {
    cached.keepForm(apiVersion, this.formGeneration, bytes, labels);
    if (bytes !== cached.raw) this.#budget.add(cached, apiVersion, this.formGeneration, bytes.byteLength);
    return bytes;
  }
}

/**
 * Prunes and defaults an object by the schema of its version, in place; true if anything changed. Typed kinds are complete as they are
 * decoded: upstream's storage holds their Go values.
 */
export function complete(object: KubeObject, version: VersionDefinition): boolean {
  if (version.decode !== undefined) return false;
  const pruned = version.schema.prune(asJson(object)).length > 0;
  return version.schema.applyDefaults(asJson(object)) || pruned;
}

export function prune(object: KubeObject, version: VersionDefinition): void {
  if (version.decode === undefined) version.schema.prune(asJson(object));
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
