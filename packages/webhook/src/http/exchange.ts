// One request and its answer, whichever protocol carries them.
import type { Readable } from 'node:stream';

export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly body: Readable;
  /** Whether a client certificate was shown that the given CA vouches for. */
  readonly hasClientCertificate: boolean;
  /** Once only. Whatever is left of the request's body is not read. */
  send(answer: Answer): void;
}

export interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const textAnswer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers,
});

/** Straight into one buffer: joining strings first, or buffers afterwards, would copy all of it once more. */
export function bytesOf(body: string | readonly string[]): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  const lengths = body.map((piece) => Buffer.byteLength(piece));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  // As long in bytes as in characters: ASCII, which latin1 writes in half the time.
  for (const [index, piece] of body.entries()) at += bytes.write(piece, at, lengths[index] === piece.length ? 'latin1' : 'utf8');
  return bytes;
}
