// Compresses a body of many parts without copying the whole first.
import { createGzip } from 'node:zlib';

/** The size of one call of zlib: large enough that switching threads does not matter. */
const PIECE_BYTES = 256 * 1024;

export function gzipParts(parts: Iterable<Uint8Array>): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
    const out: Uint8Array[] = [];
    gzip.on('data', (chunk: Uint8Array) => out.push(chunk));
    gzip.on('end', () => resolve(out));
    gzip.on('error', reject);
    const pieces = joined(parts, PIECE_BYTES);
    const feed = (): void => {
      const piece = pieces.next();
      if (piece.done) gzip.end();
      else gzip.write(piece.value, feed);
    };
    feed();
  });
}

/** The same bytes in fewer, larger pieces. A part that is large enough already is not copied. */
function* joined(parts: Iterable<Uint8Array>, pieceBytes: number): Generator<Uint8Array, void> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (bytes > 0 && bytes + part.byteLength > pieceBytes) {
      yield waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, bytes);
      waiting = [];
      bytes = 0;
    }
    waiting.push(part);
    bytes += part.byteLength;
  }
  if (bytes > 0) yield waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, bytes);
}
