// The lenses that are stored, by the definition that each is for. Follows their cache; tells who serves
// definitions when one has changed. Of several for one definition the oldest counts, so that nobody takes a
// conversion over by adding another.
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
  /** Changes with what it does. */
  readonly revision: string;
  /**
   * Absent: it is not well formed. Such a lens cannot be written, but may have been before a stricter server
   * came.
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
      onState: (objects) => this.#noteAll(objects),
      onEvent: ({ type, object }) =>
        type === 'DELETED' ? this.#forget(object.metadata.name!) : this.#note(object),
      onError: (error) => log.error({ err: error }, 'lenses cannot be followed'),
    });
  }

  /** Resolves when every lens that is there is known. */
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

  /** All for one definition, the one that counts first. */
  for(crd: string): StoredLens[] {
    return [...this.#byName.values()].filter((lens) => lens.crd === crd).sort(byAge);
  }

  #noteAll(objects: Iterable<CachedObject>): void {
    const gone = new Set(this.#byName.keys());
    for (const object of objects) {
      gone.delete(object.metadata.name!);
      this.#note(object);
    }
    for (const name of gone) this.#forget(name);
  }

  #note(cached: CachedObject): void {
    const next = storedLens(cached);
    const before = this.#byName.get(next.name);
    this.#byName.set(next.name, next);
    if (before?.revision === next.revision) return;
    this.#tell(next.crd);
    if (before !== undefined && before.crd !== next.crd) this.#tell(before.crd);
  }

  #forget(name: string): void {
    const before = this.#byName.get(name);
    this.#byName.delete(name);
    if (before !== undefined) this.#tell(before.crd);
  }

  #tell(crd: string): void {
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
