// Records what a watch delivers, checks the order, and waits for more.
import type { Store, StoreError, StoreEvent, StoreWatch, WatchBatch } from '../store.ts';

/** Records what a watch reports. */
export class Recorder {
  readonly batches: WatchBatch[] = [];
  readonly faults: string[] = [];
  readonly #watch: StoreWatch;
  ended: StoreError | undefined;
  #inside = false;

  constructor(store: Store, prefix: string, fromRevision: number) {
    this.#watch = store.watch({
      prefix,
      fromRevision,
      onBatch: (batch) => this.#take(batch, fromRevision),
      onEnd: (error) => {
        if (this.ended !== undefined) this.faults.push('onEnd was called twice');
        this.ended = error;
      },
    });
  }

  get events(): StoreEvent[] {
    return this.batches.flatMap((batch) => batch.events);
  }

  /** Like "put /a/1 5", in order. */
  get lines(): string[] {
    return this.events.map((event) => `${event.type} ${event.key} ${event.revision}`);
  }

  get revision(): number {
    return this.batches.at(-1)?.revision ?? 0;
  }

  stop(): void {
    this.#watch.stop();
  }

  async reaches(revision: number): Promise<void> {
    await until(() => this.revision >= revision || this.ended !== undefined);
  }

  async end(): Promise<StoreError> {
    await until(() => this.ended !== undefined);
    return this.ended!;
  }

  #take(batch: WatchBatch, from: number): void {
    if (this.#inside) this.faults.push('onBatch was called within onBatch');
    this.#inside = true;
    if (this.ended !== undefined) this.faults.push('a batch came after the end');
    if (batch.revision < from) this.faults.push(`revision ${batch.revision} is before ${from}`);
    if (batch.revision <= this.revision)
      this.faults.push(`revision ${batch.revision} came after ${this.revision}`);
    for (const event of batch.events)
      if (event.revision !== batch.revision)
        this.faults.push(`an event of ${event.revision} in ${batch.revision}`);
    this.batches.push(batch);
    this.#inside = false;
  }
}

/** Waits until something holds; the test's own time limit is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1));
}
