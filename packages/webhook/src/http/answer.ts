// What the host answers, whichever protocol carries it.
import type { AnswerHeaders, Exchange } from '@instar/serving';
import { asBuffer } from '../review/parse-body.ts';

/** A part of a long body. */
export type Piece = string | Uint8Array;

export interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string | readonly Piece[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when nobody looks at the body any more, be it because the client has gone. */
  readonly release?: () => void;
}

export const textAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers,
});

/** Once only. */
export function sendAnswer(exchange: Exchange, { status, type, body, headers, release }: Answer): void {
  if (release !== undefined) exchange.onClosed(release);
  if (exchange.isGone) return;
  const head: AnswerHeaders = { 'content-type': type, ...headers };
  exchange.send(status, head, [bytesOf(body)]);
}

/** Straight into one buffer: joining strings first, or buffers afterwards, would copy all of it once more. */
export function bytesOf(body: string | readonly Piece[]): Buffer {
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
