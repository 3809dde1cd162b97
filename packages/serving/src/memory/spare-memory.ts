// Memory of bodies that nobody looks at any more, for those to come: V8 counts large buffers towards its
// heap, and soon collects all of it because of them.

/** Smaller ones come from the pool of Node itself. */
const MIN_BYTES = 16 * 1024;
/** A megabyte of objects, which is what our server sends at once, and what is around them. */
const MAX_BYTES = 1.25 * 1024 * 1024;
const MAX_SPARE = 8;

export class SpareMemory {
  /** The smallest first. */
  readonly #spare: Buffer[] = [];

  /** Whether so many bytes could serve again. */
  static keeps(bytes: number): boolean {
    return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
  }

  /** At least so many bytes, with anything in them. */
  take(bytes: number): Buffer {
    if (!SpareMemory.keeps(bytes)) return Buffer.allocUnsafe(bytes);
    const place = this.#spare.findIndex((buffer) => buffer.length >= bytes);
    if (place >= 0) return this.#spare.splice(place, 1)[0]!;
    // The next body is about as long, and should fit.
    return Buffer.allocUnsafeSlow(Math.min(bytes + (bytes >> 2), MAX_BYTES));
  }

  /** Must have been taken here; whoever gives it must not look at it any more. */
  give(buffer: Buffer): void {
    if (!SpareMemory.keeps(buffer.length)) return;
    const larger = this.#spare.findIndex(({ length }) => length > buffer.length);
    this.#spare.splice(larger < 0 ? this.#spare.length : larger, 0, buffer);
    if (this.#spare.length > MAX_SPARE) this.#spare.shift();
  }
}
