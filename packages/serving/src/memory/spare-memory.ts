// Memory of bodies that nobody looks at any more, for those to come: V8 counts large buffers towards its heap, and soon collects all of it because of them.

/** A megabyte of objects, which is what our server sends at once, and what is around them. */
const MAX_BYTES = 1.25 * 1024 * 1024;
const MAX_SPARE = 8;

export class SpareMemory {
  readonly #spare: Buffer[] = [];

  /** Whether so many bytes could serve again. */
  static keeps(bytes: number): boolean {
    return bytes <= MAX_BYTES;
  }

  /** At least so many bytes, with anything in them. */
  take(bytes: number): Buffer {
    const place = this.#spare.findIndex((buffer) => buffer.length >= bytes);
    if (place >= 0) return this.#spare.splice(place, 1)[0]!;
    // The next body is about as long, and should fit.
    return Buffer.allocUnsafeSlow(SpareMemory.keeps(bytes) ? Math.min(bytes + (bytes >> 2), MAX_BYTES) : bytes);
  }

  /** Must have been taken here; whoever gives it must not look at it any more. */
  give(buffer: Buffer): void {
    if (buffer.length > 0 && SpareMemory.keeps(buffer.length) && this.#spare.length < MAX_SPARE) this.#spare.push(buffer);
  }
}
