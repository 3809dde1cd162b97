// Writes a body that is in parts without giving a slow client more than a piece at a time to wait in memory.
import type { Writable } from 'node:stream';
import { joined } from './gzip.ts';

const PIECE_BYTES = 256 * 1024;
/** A client that takes nothing for so long is not coming back. */
const STALLED_MS = 60_000;

export function pumpParts(to: Writable, parts: readonly Uint8Array[]): void {
  const pieces = joined(parts, PIECE_BYTES);
  const stalled = setTimeout(() => to.destroy(), STALLED_MS);
  stalled.unref();
  to.once('close', () => clearTimeout(stalled));
  const feed = (): void => {
    stalled.refresh();
    for (let piece = pieces.next(); !to.destroyed; piece = pieces.next()) {
      if (piece.done) to.end();
      else if (to.write(piece.value)) continue;
      else to.once('drain', feed);
      return;
    }
  };
  feed();
}
