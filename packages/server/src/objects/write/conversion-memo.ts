// Memoizes the conversions of one write, by content: ownership compares the next object in the storage
// version, and the commit stores the same, unless admission has changed it in between. Used if a webhook
// converts, where a conversion is a call.
import { encodeJson, type KubeObject } from '@instar/machinery';

/** A write needs two; after lost races there may be more. */
const MAX_ENTRIES = 8;

interface Entry {
  readonly content: string;
  readonly apiVersion: string;
  /** The definition may change while the write waits; then another webhook converts. */
  readonly generation: object;
  readonly converted: KubeObject;
}

export class ConversionMemo {
  readonly #entries: Entry[] = [];

  /** `object` as it was sent to the converter. The caller must not change either afterwards. */
  add(object: KubeObject, converted: KubeObject, generation: object): void {
    if (this.#entries.length === MAX_ENTRIES) this.#entries.shift();
    const { apiVersion } = converted;
    this.#entries.push({ content: contentOf(object), apiVersion, generation, converted });
  }

  /** `object` in another version, for the caller to change, if its content was converted before. */
  take(object: KubeObject, apiVersion: string, generation: object): KubeObject | undefined {
    if (this.#entries.length === 0) return undefined;
    const content = contentOf(object);
    const index = this.#entries.findIndex(
      (entry) =>
        entry.content === content && entry.apiVersion === apiVersion && entry.generation === generation,
    );
    if (index < 0) return undefined;
    const [{ converted }] = this.#entries.splice(index, 1) as [Entry];
    return { ...converted, metadata: metadataOf(object, converted) };
  }
}

/**
 * Of metadata only what a converter may change: the rest is restored after every conversion, and a write sets
 * generation and managedFields only after it knows what has changed.
 */
function contentOf(object: KubeObject): string {
  const { metadata, ...rest } = object;
  const { name, namespace, labels, annotations } = metadata;
  return encodeJson({ ...rest, metadata: { name, namespace, labels, annotations } });
}

function metadataOf({ metadata: own }: KubeObject, { metadata: converted }: KubeObject) {
  const metadata = { ...own };
  for (const field of ['labels', 'annotations'] as const) {
    const value = converted[field];
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return metadata;
}
