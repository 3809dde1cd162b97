// Reads the body of a request to its end, or until the consumer refuses more.
import type { Readable } from 'node:stream';

/** Takes the chunks of a request body as they arrive. */
export interface BodyConsumer {
  /** False to stop reading: nothing is called after that. */
  take(chunk: Buffer): boolean;
  /** The whole body was taken. */
  done(): void;
  /** The body was aborted, with or without an error. */
  aborted(error: Error | undefined): void;
}

/**
 * Returns a function that stops reading: further data is discarded, so that the client can read its answer.
 */
export function readBody(body: Readable, consumer: BodyConsumer): () => void {
  const onData = (chunk: Buffer): void => {
    if (!consumer.take(chunk)) stop();
  };
  const onEnd = (): void => {
    removeListeners();
    consumer.done();
  };
  const onAborted = (error?: Error): void => {
    stop();
    consumer.aborted(error);
  };
  // Node keeps an HTTP/2 stream until the next full garbage collection, and the stream keeps its listeners,
  // and with them the body.
  const removeListeners = (): void => {
    body.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
  };
  const stop = (): void => {
    removeListeners();
    // Later errors must not end the process.
    body.on('error', ignore);
  };
  body.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
  return stop;
}

const ignore = (): void => {};

/** Whether the content-length exceeds the limit. */
export const isAnnouncedBeyond = (limit: number, contentLength: string | undefined): boolean =>
  contentLength !== undefined && Number(contentLength) > limit;
