// A stored object on its way to a converter. It is parsed only when its batch is made up, and only if something of it is not known yet.
import type { ConversionSource } from '@instar/convert';
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from './cached-object.ts';

export class StoredSource implements ConversionSource {
  readonly kind: string;
  readonly #cached: CachedObject;
  readonly #storedForm: () => StoredForm;
  #form: StoredForm | undefined;

  /** `storedForm` makes the object's form in the version in which it is stored, which is what converters get. */
  constructor(cached: CachedObject, kind: string, storedForm: () => StoredForm) {
    this.#cached = cached;
    this.kind = kind;
    this.#storedForm = storedForm;
  }

  get apiVersion(): string {
    return this.#cached.storedApiVersion;
  }

  get metadata(): ObjectMeta {
    return this.#made.metadata;
  }

  json(): Uint8Array {
    return this.#cached.withoutRevision(this.#made.bytes);
  }

  get #made(): StoredForm {
    this.#form ??= this.#storedForm();
    return this.#form;
  }
}

export interface StoredForm {
  readonly bytes: Uint8Array;
  readonly metadata: ObjectMeta;
}
