// CustomResourceDefinitions together with the resources that are made from them, for reports on both.
import type { CustomResourceDefinition } from '@instar/crd';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { findDefinition } from '../definitions/stored-definition.ts';

/** The group of the kinds that only this server has. */
export const OWN_GROUP = 'instar.dev';

export interface CustomDefinition {
  /** "crontabs.stable.example.com". */
  readonly name: string;
  readonly crd: CustomResourceDefinition;
  readonly resource: Resource;
}

export const crdNameOf = ({ definition }: Resource): string =>
  `${definition.names.plural}.${definition.group}`;

/** Made from a CustomResourceDefinition. Lenses are served in the same way, but are the server's own. */
export const isCustom = ({ definition }: Resource): boolean =>
  !definition.typed && definition.group !== OWN_GROUP;

export class CustomDefinitions {
  readonly #registry: ResourceRegistry;
  readonly #crds: Resource;

  constructor(registry: ResourceRegistry, crds: Resource) {
    this.#registry = registry;
    this.#crds = crds;
  }

  /** The definitions that are served, in their newest state. */
  async all(): Promise<CustomDefinition[]> {
    await this.#crds.cache.waitUntilFresh();
    const found: CustomDefinition[] = [];
    for (const resource of this.#registry.all()) {
      const crd = isCustom(resource) ? findDefinition(this.#crds, crdNameOf(resource)) : undefined;
      if (crd !== undefined) found.push({ name: crdNameOf(resource), crd, resource });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(name: string): Promise<CustomDefinition | undefined> {
    await this.#crds.cache.waitUntilFresh();
    const crd = findDefinition(this.#crds, name);
    const resource = crd && this.#registry.get(crd.spec.group, crd.spec.names.plural);
    return resource === undefined || !isCustom(resource) ? undefined : { name, crd: crd!, resource };
  }

  /** The names that no definition has. */
  async missing(names: Iterable<string>): Promise<Set<string>> {
    await this.#crds.cache.waitUntilFresh();
    return new Set([...names].filter((name) => this.#crds.cache.get(this.#crds.key('', name)) === undefined));
  }
}
