// Reads the body of a request to its end, unless whoever takes it wants no more.
import type { Readable } from 'node:stream';

export interface BodyTaker {
  /** False: no more is wanted, and nothing is called any more. */
  take(chunk: Buffer): boolean;
  /** All of it was taken. */
  done(): void;
  /** It broke off, with an error or without. */
  broken(error: Error | undefined): void;
}

/** The answer stops reading: what still comes is thrown away, so that the client gets to read its answer. */
export function readBody(body: Readable, taker: BodyTaker): () => void {
  const onData = (chunk: Buffer): void => {
    if (!taker.take(chunk)) stop();
  };
  const onEnd = (): void => {
    forget();
    taker.done();
  };
  const onBroken = (error?: Error): void => {
    stop();
    taker.broken(error);
  };
  // Node holds on to a stream of HTTP/2 until the next full collection, and the stream to all that listens:
  // the body with it.
  const forget = (): void => {
    body.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
  };
  const stop = (): void => {
    forget();
    // What still comes must not end the process.
    body.on('error', ignore);
  };
  body.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  return stop;
}

const ignore = (): void => {};

/** Whether the content-length alone says that a body is longer than that. */
export const announcesMoreThan = (limit: number, contentLength: string | undefined): boolean =>
  contentLength !== undefined && Number(contentLength) > limit;
