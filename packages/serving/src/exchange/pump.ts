// Writes a body that is in parts without giving a slow client more than two pieces at a time to wait in
// memory. The memory of a piece serves again as soon as the piece is out: a large list would otherwise leave
// a copy of itself to the garbage collector, which has no reason to hurry.
import type { Writable } from 'node:stream';

const PIECE_BYTES = 128 * 1024;
/** A client that takes nothing for so long is not coming back. */
const STALLED_MS = 60_000;

/** `last` is written when all of the parts are out. */
export function pumpParts(to: Writable, parts: readonly Uint8Array[], last?: Uint8Array): void {
  const pieces = new Pieces(parts);
  let feeding = 2;
  const stalled = setTimeout(() => to.destroy(), STALLED_MS);
  stalled.unref();
  to.once('close', () => clearTimeout(stalled));
  const feed = (memory: Buffer): void => {
    stalled.refresh();
    if (to.destroyed || to.writableEnded) return;
    const piece = pieces.next(memory);
    if (piece === undefined) {
      if (--feeding === 0) to.end(last);
    } else to.write(piece, (error) => error ?? feed(memory));
  };
  feed(Buffer.allocUnsafeSlow(PIECE_BYTES));
  feed(Buffer.allocUnsafeSlow(PIECE_BYTES));
}

class Pieces {
  readonly #parts: readonly Uint8Array[];
  #at = 0;

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
  }

  /**
   * As many of the next parts as there is room for, or one that is larger than that, uncopied; undefined
   * after the last.
   */
  next(memory: Buffer): Uint8Array | undefined {
    const first = this.#parts[this.#at];
    if (first === undefined || first.byteLength > memory.length) {
      this.#at++;
      return first;
    }
    let used = 0;
    for (
      let part: Uint8Array | undefined = first;
      part !== undefined && used + part.byteLength <= memory.length;
    ) {
      memory.set(part, used);
      used += part.byteLength;
      part = this.#parts[++this.#at];
    }
    return memory.subarray(0, used);
  }
}
