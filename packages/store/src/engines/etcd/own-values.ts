// Values that this process writes come back as events with the same byte arrays, as with the embedded
// engines: the writer may know more about them than their bytes say, and need not parse them again.
import type { Operation, StoreEvent, WatchBatch } from '../../store.ts';

export class OwnValues {
  readonly #values = new Map<string, Uint8Array[]>();

  /** Returns how to forget them. */
  add(operations: readonly Operation[]): () => void {
    const puts = operations.filter((operation) => operation.type === 'put');
    for (const { key, value } of puts) this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    return () => {
      for (const { key, value } of puts) this.#remove(key, value);
    };
  }

  recognize(batches: readonly WatchBatch[]): readonly WatchBatch[] {
    if (this.#values.size === 0) return batches;
    return batches.map((batch) =>
      batch.events.length === 0
        ? batch
        : { ...batch, events: batch.events.map((event) => this.#ownOf(event)) },
    );
  }

  #ownOf(event: StoreEvent): StoreEvent {
    const { entry } = event;
    const value = entry && this.#values.get(entry.key)?.find((own) => Buffer.compare(own, entry.value) === 0);
    return value === undefined ? event : { ...event, entry: { ...entry!, value } };
  }

  #remove(key: string, value: Uint8Array): void {
    const rest = (this.#values.get(key) ?? []).filter((other) => other !== value);
    if (rest.length === 0) this.#values.delete(key);
    else this.#values.set(key, rest);
  }
}
