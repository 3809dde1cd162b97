// The chunks of a body on their way to one buffer.
import { SpareMemory } from './spare-memory.ts';

/** Shorter bodies come in a few chunks, which need no memory of ours. */
const LONG_BYTES = 64 * 1024;

/**
 * The chunks of a long body are put together as they come, so that each of them is garbage at once, and small
 * garbage.
 */
export class BodyParts {
  readonly #memory: SpareMemory | undefined;
  readonly #chunks: Buffer[] = [];
  #taken: Buffer | undefined;
  #length = 0;

  /** `expected`: how many bytes will come, if that was said. */
  constructor(expected = 0, memory?: SpareMemory) {
    this.#memory = memory;
    // Nobody gets much memory for nothing but the announcement of a body.
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

  /** Nobody looks at the body any more: its memory may serve for other bodies. */
  release(): void {
    if (this.#taken !== undefined) this.#memory?.give(this.#taken);
    this.#taken = undefined;
  }
}
