// One resource at run time: its definition, its cache, and the forms of its objects in each version. Writes
// are in write/.
import { apiErrors, type GroupResource } from '@instar/machinery';
import type { Store } from '@instar/store';
import type { Encryption } from '@instar/store/encryption';
import type { ResourceDefinition, VersionDefinition } from './definition.ts';
import type { FormBudget } from './forms/form-budget.ts';
import { Forms } from './forms/forms.ts';
import { WrittenValues } from './forms/written-values.ts';
import { ResourceCache } from './watch/resource-cache.ts';
import { Turns } from './write/turns.ts';

export interface ResourceOptions {
  readonly store: Store;
  /** Undefined: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  /** "/registry/" as kube-apiserver has it. */
  readonly registryPrefix: string;
  readonly historyFloor: number;
  readonly maxLogEvents: number;
  readonly maxLogBytes: number;
  readonly formBudget: FormBudget;
  /** As `strict` of the server's options. */
  readonly strict?: boolean;
}

export class Resource {
  #definition: ResourceDefinition;
  readonly store: Store;
  readonly cache: ResourceCache;
  readonly forms: Forms;
  readonly written: WrittenValues;
  /** Every key of the resource starts with this. */
  readonly prefix: string;
  readonly strict: boolean;
  readonly turns = new Turns();
  readonly #watchers = new Set<() => void>();

  constructor(definition: ResourceDefinition, options: ResourceOptions) {
    this.#definition = definition;
    const { group, names } = definition;
    this.store = options.encryption?.storeFor(options.store, group, names.plural) ?? options.store;
    this.prefix = options.registryPrefix + definition.storagePath;
    this.strict = options.strict ?? false;
    this.cache = new ResourceCache({
      ...options,
      store: this.store,
      prefix: this.prefix,
      onLoaded: (object, value) => this.written.seed(object, value),
    });
    this.forms = new Forms(definition, options.formBudget, this.cache);
    this.written = new WrittenValues(this.forms.cachedForms);
  }

  get definition(): ResourceDefinition {
    return this.#definition;
  }

  /** Takes effect for every request from now on. */
  redefine(definition: ResourceDefinition): void {
    this.#definition = definition;
    this.forms.redefine(definition);
  }

  /**
   * Ends every watch, as kube-apiserver does when a definition changes. A client that has only seen what was
   * before `revision` cannot continue from there: it has to list again and sees how objects look now.
   */
  restartWatches(revision: number): void {
    this.cache.forgetBefore(revision);
    for (const end of [...this.#watchers]) end();
  }

  /** Calls `end` when watches have to start again; returns what takes that back. */
  onRestart(end: () => void): () => void {
    this.#watchers.add(end);
    return () => this.#watchers.delete(end);
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

  /** As errors show it: without the prefix of all keys. */
  shownKey(key: string): string {
    return key.slice(this.prefix.length - this.#definition.storagePath.length - 1);
  }

  /** The prefix of a namespace's keys, or of all keys with an empty namespace. */
  prefixOf(namespace: string): string {
    return namespace === '' ? this.prefix : `${this.prefix}${namespace}/`;
  }

  notFound(name: string) {
    return apiErrors.notFound(this.groupResource, name);
  }

  /** True if the labels of an object may differ between versions. */
  get convertsLabels(): boolean {
    const { convertNow, usesStash } = this.#definition.converter;
    return convertNow === undefined || usesStash === true;
  }
}
