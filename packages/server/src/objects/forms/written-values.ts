// What a write knows of the bytes that it stores, so that the cache need not derive it again when the store
// reports them in an event. An optimization only: with an engine that copies values it has no effect.
import type { KubeObject, ObjectMeta } from '@instar/machinery';
import { type CachedObject, withRevision } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import type { CachedForms } from './cached-forms.ts';

interface WrittenValue {
  /** What the bytes were made from. */
  readonly object: KubeObject;
  /** The rest is valid under this generation only: the definition may change before the event arrives. */
  readonly generation: object | undefined;
  /** The version of the object, if reads in that version show the bytes as they are. */
  readonly completeIn: VersionDefinition | undefined;
  /** The same object in another version, encoded as for the store. */
  readonly form: WrittenForm | undefined;
}

interface WrittenForm {
  readonly apiVersion: string;
  readonly bytes: Uint8Array;
  readonly labels: ObjectMeta['labels'];
}

export class WrittenValues {
  readonly #cachedForms: CachedForms;
  readonly #values = new WeakMap<Uint8Array, WrittenValue>();

  constructor(cachedForms: CachedForms) {
    this.#cachedForms = cachedForms;
  }

  add(value: Uint8Array, written: WrittenValue): void {
    this.#values.set(value, written);
  }

  /** To be called when the bytes are stored: the garbage collector would remove them later. */
  delete(value: Uint8Array): void {
    this.#values.delete(value);
  }

  /** Seeds an object that was made from stored bytes with what the write of them knew. */
  seed(cached: CachedObject, value: Uint8Array): void {
    const written = this.#values.get(value);
    if (written === undefined) return;
    const { object, generation, completeIn, form } = written;
    cached.seed(object.metadata, object.apiVersion);
    if (generation !== this.#cachedForms.generation) return;
    if (completeIn !== undefined) {
      this.#cachedForms.add(cached, completeIn.apiVersion, cached.raw);
      cached.markComplete(completeIn.schema);
    }
    if (form !== undefined)
      this.#cachedForms.add(
        cached,
        form.apiVersion,
        withRevision(form.bytes, cached.revision),
        form.labels ?? {},
      );
  }
}
