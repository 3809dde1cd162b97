// Reads a request body whole, up to the limit.
import type { Readable } from 'node:stream';
import { apiErrors } from '@instar/machinery';

const EMPTY = new Uint8Array(0);

export function readBody(
  stream: Readable,
  contentLength: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  if (contentLength === '0') return Promise.resolve(EMPTY);
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      if (bytes <= limit) chunks.push(chunk);
      else refuse();
    };
    // What still comes is read and thrown away by the transport, so that the client gets to read the answer.
    const refuse = (): void => {
      stream.off('data', onData);
      reject(tooLarge(limit));
    };
    const onClose = (): void => reject(apiErrors.badRequest('unexpected EOF'));
    const onEnd = (): void => {
      // Node holds on to a stream of HTTP/2 until the next full collection, and the stream to all that
      // listens: the body with it.
      stream.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    stream.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  });
}

const tooLarge = (limit: number): Error => apiErrors.entityTooLarge(`limit is ${limit}`);
