// The resources that the server has, found by group, version and plural name. Definitions are added and
// removed while it runs.
import type { ResourceDefinition, VersionDefinition } from './definition.ts';
import { Resource, type ResourceOptions } from './resource.ts';
import type { VirtualResource } from './virtual-resource.ts';

export interface ServedResource {
  readonly resource: Resource;
  readonly version: VersionDefinition;
}

export class ResourceRegistry {
  readonly #options: Omit<ResourceOptions, 'historyFloor'>;
  readonly #resources = new Map<string, Resource>();
  readonly #served = new Map<string, ServedResource>();
  /** By apiVersion and kind, served or not. */
  readonly #kinds = new Map<string, ServedResource>();
  readonly #virtual = new Map<string, VirtualResource>();
  readonly #listeners = new Set<() => void>();
  #revision = 0;

  constructor(options: Omit<ResourceOptions, 'historyFloor'>) {
    this.#options = options;
  }

  /** Grows with every change: documents made from the registry (discovery, OpenAPI) compare it. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds a resource, or gives it a new definition. */
  define(definition: ResourceDefinition, historyFloor = 0): Resource {
    const id = resourceId(definition);
    const known = this.#resources.get(id);
    const resource = known ?? new Resource(definition, { ...this.#options, historyFloor });
    if (known !== undefined) this.#unindex(known);
    known?.redefine(definition);
    this.#resources.set(id, resource);
    this.#index(resource);
    this.#changed();
    return resource;
  }

  remove(group: string, plural: string): void {
    const id = `${group}/${plural}`;
    const resource = this.#resources.get(id);
    if (resource === undefined) return;
    resource.cache.stop();
    this.#resources.delete(id);
    this.#unindex(resource);
    this.#changed();
  }

  addVirtual(resource: VirtualResource): void {
    this.#virtual.set(`${resource.group}/${resource.version}/${resource.resource}`, resource);
    this.#changed();
  }

  /** The resource that is served at /apis/group/version/plural. */
  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${plural}`);
  }

  findVirtual(group: string, version: string, plural: string): VirtualResource | undefined {
    return this.#virtual.get(`${group}/${version}/${plural}`);
  }

  /** By the group and plural that name it in storage and in errors. */
  get(group: string, plural: string): Resource | undefined {
    return this.#resources.get(`${group}/${plural}`);
  }

  /** The resource of a kind in an apiVersion (an owner reference), served or not. */
  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`);
  }

  all(): Iterable<Resource> {
    return this.#resources.values();
  }

  virtual(): Iterable<VirtualResource> {
    return this.#virtual.values();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Existing entries stay: a definition cannot replace a built-in resource. */
  #index(resource: Resource): void {
    const { names, versions } = resource.definition;
    for (const version of versions) {
      const entry = { resource, version };
      if (version.served)
        setIfAbsent(this.#served, `${version.group}/${version.version}/${names.plural}`, entry);
      setIfAbsent(this.#kinds, `${version.apiVersion} ${names.kind}`, entry);
    }
  }

  #unindex(resource: Resource): void {
    const { names, versions } = resource.definition;
    for (const { group, version, apiVersion } of versions) {
      deleteIfOf(this.#served, `${group}/${version}/${names.plural}`, resource);
      deleteIfOf(this.#kinds, `${apiVersion} ${names.kind}`, resource);
    }
  }

  #changed(): void {
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }
}

function resourceId(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.names.plural}`;
}

function setIfAbsent(map: Map<string, ServedResource>, key: string, entry: ServedResource): void {
  if (!map.has(key)) map.set(key, entry);
}

function deleteIfOf(map: Map<string, ServedResource>, key: string, resource: Resource): void {
  if (map.get(key)?.resource === resource) map.delete(key);
}
