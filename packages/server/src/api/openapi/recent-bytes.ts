// Caches encoded documents: the most recently used ones, up to a number of bytes.

/** A limit that several documents share: beyond it, the least recently used ones are dropped. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #cached = new Map<RecentBytes, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  touch(item: RecentBytes, bytes: number): void {
    this.#release(item);
    this.#cached.set(item, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#release(oldest);
      oldest.drop();
    }
  }

  #release(item: RecentBytes): void {
    this.#bytes -= this.#cached.get(item) ?? 0;
    this.#cached.delete(item);
  }
}

export class RecentBytes {
  readonly #budget: ByteBudget;
  readonly #make: () => readonly Buffer[];
  #cached: readonly Buffer[] | undefined;

  constructor(budget: ByteBudget, make: () => readonly Buffer[]) {
    this.#budget = budget;
    this.#make = make;
  }

  get(): readonly Buffer[] {
    const buffers = this.peek();
    this.#cached = buffers;
    this.#budget.touch(this, totalBytes(buffers));
    return buffers;
  }

  /** Does not cache the bytes: for a caller that needs them only once. */
  peek(): readonly Buffer[] {
    return this.#cached ?? this.#make();
  }

  drop(): void {
    this.#cached = undefined;
  }
}

export const totalBytes = (buffers: readonly Buffer[]): number =>
  buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
