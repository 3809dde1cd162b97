// The documents for the current registry. Documents whose resources have not changed are reused when the
// registry changes.
import { DocumentV2, PartV2 } from './document-v2.ts';
import { DocumentV3 } from './document-v3.ts';
import { type PublishedRegistry, type PublishedResource, publishedResources } from './published-resource.ts';
import { ByteBudget } from './recent-bytes.ts';

/** All built-in kinds are one part of the document of version 2. */
const BUILT_IN = '';

/** Enough for the document of version 2, in both formats, of some five hundred large definitions. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

export class Catalog {
  readonly #registry: PublishedRegistry;
  readonly #budget = new ByteBudget(MAX_CACHED_BYTES);
  #revision = -1;
  #documents: ReadonlyMap<string, DocumentV3> = new Map();
  #parts: ReadonlyMap<string, PartV2> = new Map();
  #whole = new DocumentV2([]);

  constructor(registry: PublishedRegistry) {
    this.#registry = registry;
  }

  /** By path, in the order of paths. */
  get documents(): ReadonlyMap<string, DocumentV3> {
    this.#refresh();
    return this.#documents;
  }

  get whole(): DocumentV2 {
    this.#refresh();
    return this.#whole;
  }

  #refresh(): void {
    if (this.#revision === this.#registry.revision) return;
    this.#revision = this.#registry.revision;
    const resources = publishedResources(this.#registry).sort((a, b) => compare(idOf(a), idOf(b)));
    this.#documents = reusedOrMade(
      this.#documents,
      groupBy(resources, documentPath),
      (path, group) => new DocumentV3(path, group, this.#budget),
    );
    const parts = groupBy(resources, (resource) => (resource.typed ? BUILT_IN : idOf(resource)));
    this.#parts = reusedOrMade(
      this.#parts,
      parts,
      (id, group) => new PartV2(group, id === BUILT_IN, this.#budget),
    );
    this.#whole = new DocumentV2([...this.#parts.values()]);
  }
}

interface MadeFromResources {
  isOf(resources: readonly PublishedResource[]): boolean;
}

type Make<T> = (key: string, resources: readonly PublishedResource[]) => T;

function reusedOrMade<T extends MadeFromResources>(
  old: ReadonlyMap<string, T>,
  groups: Map<string, PublishedResource[]>,
  make: Make<T>,
): Map<string, T> {
  const next = new Map<string, T>();
  for (const [key, resources] of [...groups].sort(([a], [b]) => compare(a, b))) {
    const known = old.get(key);
    next.set(key, known?.isOf(resources) ? known : make(key, resources));
  }
  return next;
}

function groupBy(
  resources: readonly PublishedResource[],
  keyOf: (resource: PublishedResource) => string,
): Map<string, PublishedResource[]> {
  const groups = new Map<string, PublishedResource[]>();
  for (const resource of resources) {
    const key = keyOf(resource);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [resource]);
    else group.push(resource);
  }
  return groups;
}

const documentPath = ({ group, version }: PublishedResource): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;
const idOf = ({ group, version, plural }: PublishedResource): string => `${group}/${version}/${plural}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
