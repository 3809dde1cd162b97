// Assembles the chunks of a body into one buffer.
import { SpareMemory } from './spare-memory.ts';

/** Shorter bodies arrive in a few chunks, which are concatenated. */
const LONG_BYTES = 64 * 1024;

/**
 * The chunks of a long body are copied as they arrive, so that each of them becomes garbage immediately,
 * while it is young and small.
 */
export class BodyParts {
  readonly #memory: SpareMemory | undefined;
  readonly #chunks: Buffer[] = [];
  #taken: Buffer | undefined;
  #length = 0;

  /** `expected`: the content-length, if there is one. */
  constructor(expected = 0, memory?: SpareMemory) {
    this.#memory = memory;
    // A content-length alone must not make us allocate much memory.
    if (expected >= LONG_BYTES && SpareMemory.keeps(expected)) this.#taken = memory?.take(expected);
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    if (this.#taken === undefined) this.#chunks.push(chunk);
    else chunk.copy(this.#taken, this.#length);
    this.#length += chunk.byteLength;
  }

  whole(): Buffer {
    if (this.#taken !== undefined) return this.#taken.subarray(0, this.#length);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
  }

  /** To be called when the body is no longer needed: its memory is then reused. */
  release(): void {
    if (this.#taken !== undefined) this.#memory?.give(this.#taken);
    this.#taken = undefined;
  }
}
