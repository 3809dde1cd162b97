// Writes a body in parts, with at most two pieces buffered for a slow client. The memory of a piece is reused
// as soon as the piece has been sent: otherwise a large list would leave a copy of itself to the garbage
// collector.
import type { Writable } from 'node:stream';

const PIECE_BYTES = 128 * 1024;
/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 60_000;

/** `last` is written when all parts have been sent. */
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
   * As many of the next parts as fit into `memory`, or one that is larger, uncopied; undefined after the
   * last.
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
