// One resource at run time: its definition, its cache, and the forms of its objects in each version. Reads end here; writes are in write/.
import { apiErrors, asJson, type GroupResource, type KubeObject } from '@instar/machinery';
import type { Store } from '@instar/store';
import { ResourceCache } from '../watch/resource-cache.ts';
import { type CachedObject, encodeForClient, parseOwnBytes } from './cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from './definition.ts';

export interface ResourceOptions {
  readonly store: Store;
  /** "/registry/" as kube-apiserver has it. */
  readonly registryPrefix: string;
  readonly historyFloor: number;
  readonly maxLogEvents: number;
  readonly maxLogBytes: number;
}

/** How long a list may keep the event loop before it lets others in. */
const SLICE_MS = 8;
/** Objects that are converted in one call. */
const CONVERSION_BATCH = 500;

export class Resource {
  #definition: ResourceDefinition;
  readonly store: Store;
  readonly cache: ResourceCache;
  readonly prefix: string;
  /** Objects of writes under way, by the bytes handed to the store: when the bytes come back in an event, nobody need parse them. */
  readonly #written = new WeakMap<Uint8Array, KubeObject>();

  constructor(definition: ResourceDefinition, options: ResourceOptions) {
    this.#definition = definition;
    this.store = options.store;
    this.prefix = options.registryPrefix + definition.storagePath;
    this.cache = new ResourceCache({ ...options, prefix: this.prefix, onLoaded: (object, value) => this.#recognise(object, value) });
  }

  get definition(): ResourceDefinition {
    return this.#definition;
  }

  /** Takes effect for every request from now on; forms made under the old definition are made anew when asked for. */
  redefine(definition: ResourceDefinition): void {
    this.#definition = definition;
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
    const known = cached.form(version.apiVersion, this.#definition);
    if (known !== undefined) return known;
    const { converter } = this.#definition;
    if (cached.storedApiVersion === version.apiVersion) return this.#keep(cached, version, cached.parse());
    if (converter.convertNow === undefined) return undefined;
    return this.#keep(cached, version, converter.convertNow(this.#asStored(cached), version.apiVersion));
  }

  async form(cached: CachedObject, version: VersionDefinition): Promise<Uint8Array> {
    return this.formNow(cached, version) ?? (await this.forms([cached], version))[0]!;
  }

  /** The forms of many objects. Those that must be converted travel together, in bounded batches. */
  async forms(objects: readonly CachedObject[], version: VersionDefinition): Promise<Uint8Array[]> {
    const out = new Array<Uint8Array>(objects.length);
    let waiting: number[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (let i = 0; i < objects.length; i++) {
      const form = this.formNow(objects[i]!, version);
      if (form === undefined) waiting.push(i);
      else out[i] = form;
      if (waiting.length >= CONVERSION_BATCH) waiting = await this.#convertInto(out, objects, waiting, version);
      if ((i & 63) === 63 && performance.now() > sliceEnd) {
        await new Promise((resume) => setImmediate(resume));
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    if (waiting.length > 0) await this.#convertInto(out, objects, waiting, version);
    return out;
  }

  /** A fresh object in the asked version, for the caller to change. */
  async object(cached: CachedObject, version: VersionDefinition): Promise<KubeObject> {
    return parseOwnBytes(await this.form(cached, version)) as unknown as KubeObject;
  }

  /** Says that `value` was made from `object` (in the storage version, complete), which is then not parsed again. */
  remember(value: Uint8Array, object: KubeObject): void {
    this.#written.set(value, object);
  }

  #recognise(cached: CachedObject, value: Uint8Array): void {
    const object = this.#written.get(value);
    if (object === undefined) return;
    cached.seed(object.metadata);
    cached.keepForm(object.apiVersion, this.#definition, cached.raw);
  }

  async #convertInto(
    out: Uint8Array[],
    objects: readonly CachedObject[],
    indexes: number[],
    version: VersionDefinition,
  ): Promise<number[]> {
    const converted = await this.#definition.converter.convert(
      indexes.map((i) => this.#asStored(objects[i]!)),
      version.apiVersion,
    );
    indexes.forEach((i, position) => {
      out[i] = this.#keep(objects[i]!, version, converted[position]!);
    });
    return [];
  }

  /** The object in the version it is stored in, pruned and defaulted by that version's schema, as the conversion expects it. */
  #asStored(cached: CachedObject): KubeObject {
    const object = cached.parse();
    const version = this.version(object.apiVersion);
    if (version !== undefined) complete(object, version);
    return object;
  }

  #keep(cached: CachedObject, version: VersionDefinition, object: KubeObject): Uint8Array {
    const asItIs = object.apiVersion === cached.storedApiVersion;
    const changed = complete(object, version);
    const bytes = asItIs && !changed ? cached.raw : encodeForClient(object);
    cached.keepForm(version.apiVersion, this.#definition, bytes);
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
