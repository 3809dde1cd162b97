// Which resources the server has now, found by group, version and plural name. Definitions come and go while it runs.
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
    known?.redefine(definition);
    this.#resources.set(id, resource);
    this.#reindex();
    return resource;
  }

  remove(group: string, plural: string): void {
    const id = `${group}/${plural}`;
    this.#resources.get(id)?.cache.stop();
    this.#resources.delete(id);
    this.#reindex();
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
    for (const resource of this.#resources.values()) {
      if (resource.definition.names.kind !== kind) continue;
      const version = resource.version(apiVersion);
      if (version !== undefined) return { resource, version };
    }
    return undefined;
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

  #reindex(): void {
    this.#served.clear();
    for (const resource of this.#resources.values()) {
      for (const version of resource.definition.versions) {
        if (version.served)
          this.#served.set(`${version.group}/${version.version}/${resource.definition.names.plural}`, { resource, version });
      }
    }
    this.#changed();
  }

  #changed(): void {
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }
}

function resourceId(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.names.plural}`;
}
