// A stored object as input of a converter: its bytes. Metadata is parsed only if the converter reads it.
import type { ConversionSource, CutJson } from '@instar/convert';
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';

/** Makes an object's form in the version in which it is stored. */
interface StoredForms {
  storedForm(cached: CachedObject, stored: VersionDefinition): Uint8Array;
}

export class StoredSource implements ConversionSource {
  readonly kind: string;
  readonly #cached: CachedObject;
  readonly #stored: VersionDefinition;
  readonly #forms: StoredForms;
  #metadata: ObjectMeta | undefined;

  constructor(cached: CachedObject, kind: string, stored: VersionDefinition, forms: StoredForms) {
    this.#cached = cached;
    this.kind = kind;
    this.#stored = stored;
    this.#forms = forms;
  }

  get apiVersion(): string {
    return this.#cached.storedApiVersion;
  }

  get metadata(): ObjectMeta {
    this.#metadata ??= this.#cached.parseMetadata(this.#form());
    return this.#metadata;
  }

  json(): CutJson {
    return this.#cached.cutAtRevision(this.#form());
  }

  #form(): Uint8Array {
    return this.#forms.storedForm(this.#cached, this.#stored);
  }
}
