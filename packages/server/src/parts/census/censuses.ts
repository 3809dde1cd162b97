// The censuses of all custom resources: one for each definition, for as long as it exists.
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import type { Census } from './census.ts';
import { isCustom } from './custom-definitions.ts';
import { ResourceCensus } from './resource-census.ts';

export class Censuses {
  readonly #registry: ResourceRegistry;
  readonly #log: Log;
  readonly #byResource = new Map<Resource, ResourceCensus>();
  #stopListening: (() => void) | undefined;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#stopListening = this.#registry.onChange(() => void this.#followAll());
    await this.#followAll();
  }

  stop(): void {
    this.#stopListening?.();
    for (const census of this.#byResource.values()) census.stop();
  }

  /** Undefined for resources that are not custom, or have been removed. */
  async of(resource: Resource): Promise<Census | undefined> {
    return this.#byResource.get(resource)?.current();
  }

  *soFar(): Generator<[Resource, Census]> {
    for (const [resource, census] of this.#byResource) yield [resource, census.soFar];
  }

  async #followAll(): Promise<void> {
    const present = new Set([...this.#registry.all()].filter(isCustom));
    for (const [resource, census] of this.#byResource) {
      if (present.has(resource)) continue;
      census.stop();
      this.#byResource.delete(resource);
    }
    const added = [...present].filter((resource) => !this.#byResource.has(resource));
    await Promise.all(added.map((resource) => this.#follow(resource)));
  }

  async #follow(resource: Resource): Promise<void> {
    const census = new ResourceCensus(resource, this.#log);
    this.#byResource.set(resource, census);
    await census.start();
  }
}
