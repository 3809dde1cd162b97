// Reuses the memory of bodies: V8 counts large buffers towards its heap, and new ones would soon cause full
// garbage collections.

/** Smaller ones come from Node's own pool. */
const MIN_BYTES = 16 * 1024;
/** A megabyte of objects, which is what our server sends in one review, and the envelope. */
const MAX_BYTES = 1.25 * 1024 * 1024;
const MAX_SPARE = 8;

/** Buffers that are reused instead of being allocated again. */
export class SpareMemory {
  /** Smallest first. */
  readonly #spare: Buffer[] = [];

  /** Whether a buffer of this size is kept for reuse. */
  static keeps(bytes: number): boolean {
    return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
  }

  /** A buffer of at least so many bytes, uninitialized. */
  take(bytes: number): Buffer {
    if (!SpareMemory.keeps(bytes)) return Buffer.allocUnsafe(bytes);
    const index = this.#spare.findIndex((buffer) => buffer.length >= bytes);
    if (index >= 0) return this.#spare.splice(index, 1)[0]!;
    // The next body is about as long, and should fit.
    return Buffer.allocUnsafeSlow(Math.min(bytes + (bytes >> 2), MAX_BYTES));
  }

  /** Returns a buffer that was taken here; the caller must not use it afterwards. */
  give(buffer: Buffer): void {
    if (!SpareMemory.keeps(buffer.length)) return;
    const larger = this.#spare.findIndex(({ length }) => length > buffer.length);
    this.#spare.splice(larger < 0 ? this.#spare.length : larger, 0, buffer);
    if (this.#spare.length > MAX_SPARE) this.#spare.shift();
  }
}
