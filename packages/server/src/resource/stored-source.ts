// A stored object on its way to a converter: its bytes, and nothing parsed unless somebody must look at its metadata.
import type { ConversionSource, CutJson } from '@instar/convert';
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from './cached-object.ts';

export class StoredSource implements ConversionSource {
  readonly kind: string;
  readonly #cached: CachedObject;
  readonly #storedForm: () => Uint8Array;
  #metadata: ObjectMeta | undefined;

  /** `storedForm` makes the object's form in the version in which it is stored, which is what converters get. */
  constructor(cached: CachedObject, kind: string, storedForm: () => Uint8Array) {
    this.#cached = cached;
    this.kind = kind;
    this.#storedForm = storedForm;
  }

  get apiVersion(): string {
    return this.#cached.storedApiVersion;
  }

  get metadata(): ObjectMeta {
    this.#metadata ??= this.#cached.parseMetadata(this.#storedForm());
    return this.#metadata;
  }

  json(): CutJson {
    return this.#cached.cutAtRevision(this.#storedForm());
  }
}
