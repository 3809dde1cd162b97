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

export function bytesOf(body: string | readonly string[]): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return body.length === 1 ? Buffer.from(body[0]!) : Buffer.concat(body.map((piece) => Buffer.from(piece)));
}
