// Memory for the records of one group. LMDB's thread reads them until the group is on disk; then all of it
// serves the next group.
const SIZE = 1024 * 1024;

export class RecordArena {
  #slab: Buffer | undefined;
  #used = 0;

  /** So many bytes, with anything in them. What does not fit gets memory of its own. */
  take(size: number): Buffer {
    if (this.#used + size > SIZE) return Buffer.allocUnsafeSlow(size);
    this.#slab ??= Buffer.allocUnsafeSlow(SIZE);
    const start = this.#used;
    // The next one starts at a word again, as checksums like it.
    this.#used += (size + 7) & ~7;
    return this.#slab.subarray(start, start + size);
  }

  /** Nothing that was taken is in use any more. */
  reset(): void {
    this.#used = 0;
  }
}
