// What is known of bytes on their way to the store, so that nobody need find it out again when they come back
// in an event. An optimization only: an engine that copies values is as right, and slower.
import type { KubeObject, ObjectMeta } from '@instar/machinery';
import { type CachedObject, withRevision } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import type { KeptForms } from './kept-forms.ts';

export interface WrittenValue {
  /** What the bytes were made from. */
  readonly object: KubeObject;
  /** Under which the rest of this holds: the definition may change before the bytes come back. */
  readonly generation: object | undefined;
  /** The version of the object, if reads in that version show the bytes as they are. */
  readonly completeIn: VersionDefinition | undefined;
  /** The same object in another version, encoded as for the store. */
  readonly form: WrittenForm | undefined;
}

export interface WrittenForm {
  readonly apiVersion: string;
  readonly bytes: Uint8Array;
  readonly labels: ObjectMeta['labels'];
}

export class WrittenValues {
  readonly #kept: KeptForms;
  readonly #values = new WeakMap<Uint8Array, WrittenValue>();

  constructor(kept: KeptForms) {
    this.#kept = kept;
  }

  remember(value: Uint8Array, written: WrittenValue): void {
    this.#values.set(value, written);
  }

  /** As soon as the bytes are stored: the garbage collector would notice later. */
  forget(value: Uint8Array): void {
    this.#values.delete(value);
  }

  /** Gives an object that was made of stored bytes what was known of them when they were written. */
  recognize(cached: CachedObject, value: Uint8Array): void {
    const written = this.#values.get(value);
    if (written === undefined) return;
    const { object, generation, completeIn, form } = written;
    cached.seed(object.metadata, object.apiVersion);
    if (generation !== this.#kept.generation) return;
    if (completeIn !== undefined) {
      this.#kept.keep(cached, completeIn.apiVersion, cached.raw);
      cached.keepComplete(completeIn.schema);
    }
    if (form !== undefined)
      this.#kept.keep(cached, form.apiVersion, withRevision(form.bytes, cached.revision), form.labels ?? {});
  }
}
