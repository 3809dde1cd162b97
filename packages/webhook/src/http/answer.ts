// The answers of the host, independent of the HTTP version.
import type { AnswerHeaders, Exchange } from '@instar/serving';
import { asBuffer } from '../review/parse-body.ts';

export type BodyPiece = string | Uint8Array;

export interface HostAnswer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string | readonly BodyPiece[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the body is no longer needed: it was sent, or the client has disconnected. */
  readonly release?: () => void;
}

export const textAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HostAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers,
});

/** Must be called once. */
export function sendAnswer(exchange: Exchange, { status, type, body, headers, release }: HostAnswer): void {
  if (release !== undefined) exchange.onClosed(release);
  if (exchange.isClosed) return;
  const head: AnswerHeaders = { 'content-type': type, ...headers };
  exchange.send(status, head, [bytesOf(body)]);
}

/**
 * Directly into one buffer: joining strings first, or buffers afterwards, would copy everything once more.
 */
export function bytesOf(body: string | readonly BodyPiece[]): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body.length === 1 && body[0] instanceof Uint8Array) return asBuffer(body[0]);
  const lengths = body.map((piece) => Buffer.byteLength(piece));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, piece] of body.entries()) {
    const length = lengths[index]!;
    // As long in bytes as in characters: ASCII, which latin1 writes in half the time.
    if (typeof piece === 'string') bytes.write(piece, at, length === piece.length ? 'latin1' : 'utf8');
    else bytes.set(piece, at);
    at += length;
  }
  return bytes;
}
