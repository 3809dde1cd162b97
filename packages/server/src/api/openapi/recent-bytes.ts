// Encoded documents that are kept for the next time somebody asks: those that were asked for last, up to a
// number of bytes.

/** A limit that several share: when it is passed, those that were not asked for longest forget first. */
export class ByteBudget {
  readonly #limit: number;
  readonly #kept = new Map<RecentBytes, number>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  used(item: RecentBytes, bytes: number): void {
    this.#release(item);
    this.#kept.set(item, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.#release(oldest);
      oldest.forget();
    }
  }

  #release(item: RecentBytes): void {
    this.#bytes -= this.#kept.get(item) ?? 0;
    this.#kept.delete(item);
  }
}

export class RecentBytes {
  readonly #budget: ByteBudget;
  readonly #make: () => readonly Buffer[];
  #kept: readonly Buffer[] | undefined;

  constructor(budget: ByteBudget, make: () => readonly Buffer[]) {
    this.#budget = budget;
    this.#make = make;
  }

  get(): readonly Buffer[] {
    const buffers = this.peek();
    this.#kept = buffers;
    this.#budget.used(this, totalBytes(buffers));
    return buffers;
  }

  /** For somebody who will not ask again: nothing is kept that was not. */
  peek(): readonly Buffer[] {
    return this.#kept ?? this.#make();
  }

  forget(): void {
    this.#kept = undefined;
  }
}

export const totalBytes = (buffers: readonly Buffer[]): number =>
  buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
