// Memory for the records of one group. LMDB's thread reads them until the group is on disk; then all of it is
// reused.
const SIZE = 1024 * 1024;

export class RecordArena {
  #slab: Buffer | undefined;
  #used = 0;

  /** So many bytes, uninitialized. What does not fit is allocated separately. */
  take(size: number): Buffer {
    if (this.#used + size > SIZE) return Buffer.allocUnsafeSlow(size);
    this.#slab ??= Buffer.allocUnsafeSlow(SIZE);
    const start = this.#used;
    // The next one is aligned to a word, for the checksums.
    this.#used += (size + 7) & ~7;
    return this.#slab.subarray(start, start + size);
  }

  /** Nothing that was taken is in use any longer. */
  reset(): void {
    this.#used = 0;
  }
}
