// The stored lenses, by the definition that each is for. Follows their cache, and notifies listeners of
// changes. Of several lenses for one definition the oldest is in effect, so that a client cannot take over a
// conversion by adding another.
import { type ParsedLens, parseLens } from '@instar/lens';
import { asJson, type JsonValue } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';

export type CompiledLens = NonNullable<ParsedLens['lens']>;

export interface StoredLens {
  readonly name: string;
  /** The definition that it is for. */
  readonly crd: string;
  /** Changes with its content. */
  readonly revision: string;
  /**
   * Undefined: it is not well formed. Such a lens cannot be written, but an earlier, less strict server may
   * have stored it.
   */
  readonly lens: CompiledLens | undefined;
  /** What it was read from. */
  readonly document: JsonValue;
  readonly faults: readonly string[];
  readonly created: string;
  readonly generation: number;
}

export class Lenses {
  readonly #byName = new Map<string, StoredLens>();
  readonly #follower: CacheFollower;
  readonly #listeners = new Set<(crd: string) => void>();

  constructor(resource: Resource, log: Log) {
    this.#follower = new CacheFollower(resource.cache, {
      onState: (objects) => this.#setAll(objects),
      onEvent: ({ type, object }) =>
        type === 'DELETED' ? this.#delete(object.metadata.name!) : this.#set(object),
      onError: (error) => log.error({ err: error }, 'lenses cannot be followed'),
    });
  }

  /** Resolves when every stored lens is known. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  onChange(listener: (crd: string) => void): void {
    this.#listeners.add(listener);
  }

  find(name: string): StoredLens | undefined {
    return this.#byName.get(name);
  }

  /** All lenses for one definition, the one in effect first. */
  for(crd: string): StoredLens[] {
    return [...this.#byName.values()].filter((lens) => lens.crd === crd).sort(byAge);
  }

  #setAll(objects: Iterable<CachedObject>): void {
    const missing = new Set(this.#byName.keys());
    for (const object of objects) {
      missing.delete(object.metadata.name!);
      this.#set(object);
    }
    for (const name of missing) this.#delete(name);
  }

  #set(cached: CachedObject): void {
    const next = storedLens(cached);
    const before = this.#byName.get(next.name);
    this.#byName.set(next.name, next);
    if (before?.revision === next.revision) return;
    this.#notify(next.crd);
    if (before !== undefined && before.crd !== next.crd) this.#notify(before.crd);
  }

  #delete(name: string): void {
    const before = this.#byName.get(name);
    this.#byName.delete(name);
    if (before !== undefined) this.#notify(before.crd);
  }

  #notify(crd: string): void {
    for (const listener of this.#listeners) listener(crd);
  }
}

function storedLens(cached: CachedObject): StoredLens {
  const object = cached.parse();
  const { name = '', uid = '', creationTimestamp = '', generation = 0 } = object.metadata;
  const document = asJson(object);
  const { lens, errors = [] } = parseLens(document);
  const { crd = '' } = (object['spec'] ?? {}) as { crd?: string };
  const faults = errors.map(({ field, detail }) => `${field}: ${detail}`);
  const revision = `${uid}/${generation}`;
  return {
    name,
    crd: String(crd),
    revision,
    lens,
    document,
    faults,
    created: creationTimestamp ?? '',
    generation,
  };
}

function byAge(a: StoredLens, b: StoredLens): number {
  if (a.created !== b.created) return a.created < b.created ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
