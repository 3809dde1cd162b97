// An answer that is written as text, chunk by chunk. Each chunk is encoded immediately: kept as strings, they
// would reach the old generation of the heap before they become garbage.
import type { SpareMemory } from '@instar/serving';

export class AnswerText {
  readonly #memory: SpareMemory | undefined;
  #bytes: Buffer;
  #length = 0;

  /** `expected`: about how many bytes the answer will have. */
  constructor(expected: number, memory?: SpareMemory) {
    this.#memory = memory;
    this.#bytes = this.#take(expected);
  }

  write(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.#length + length > this.#bytes.length) this.#grow(this.#length + length);
    // As long in bytes as in characters: ASCII, which latin1 writes in half the time.
    this.#bytes.write(text, this.#length, length === text.length ? 'latin1' : 'utf8');
    this.#length += length;
  }

  /** All that was written. Valid until `release`. */
  answer(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  release(): void {
    this.#memory?.give(this.#bytes);
  }

  #grow(needed: number): void {
    const larger = this.#take(needed + (needed >> 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.release();
    this.#bytes = larger;
  }

  #take(bytes: number): Buffer {
    return this.#memory?.take(bytes) ?? Buffer.allocUnsafe(bytes);
  }
}
