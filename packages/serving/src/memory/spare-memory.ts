// Memory of answers that nobody looks at any more, for those to come: large buffers make the garbage collector run over everything, and soon.

const MAX_BYTES = 1024 * 1024;
const MAX_SPARE = 8;

export class SpareMemory {
  readonly #spare: Buffer[] = [];

  /** At least so many bytes, with anything in them. */
  take(bytes: number): Buffer {
    const place = this.#spare.findIndex((buffer) => buffer.length >= bytes);
    if (place >= 0) return this.#spare.splice(place, 1)[0]!;
    // The next answer is about as long, and should fit.
    return Buffer.allocUnsafeSlow(bytes < MAX_BYTES / 2 ? bytes + (bytes >> 2) : bytes);
  }

  /** Must have been taken here; whoever gives it must not look at it any more. */
  give(buffer: Buffer): void {
    if (buffer.length > 0 && buffer.length <= MAX_BYTES && this.#spare.length < MAX_SPARE) this.#spare.push(buffer);
  }
}
