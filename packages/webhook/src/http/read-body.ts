// Reads a body whole, within its own bound and the one for all bodies together.
import { type ApiError, apiErrors } from '@instar/machinery';
import type { Exchange } from './exchange.ts';
import type { InFlight, Place } from './in-flight.ts';

export interface BodyReader {
  readonly inFlight: InFlight;
  readonly place: Place;
  readonly limit: number;
  done(body: Uint8Array): void;
  failed(error: ApiError | 'gone'): void;
}

export function readBody({ body, contentLength }: Exchange, { inFlight, place, limit, done, failed }: BodyReader): void {
  const tooLarge = (): ApiError => apiErrors.entityTooLarge(`limit is ${limit}`);
  if (contentLength !== undefined && Number(contentLength) > limit) {
    failed(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  const stop = (error: ApiError | 'gone'): void => {
    body.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    // What still comes must not end the process.
    body.on('error', ignore);
    place.onLate = undefined;
    failed(error);
  };
  const onData = (chunk: Buffer): void => {
    const fits = inFlight.grow(place, chunk.byteLength);
    if (place.bytes > limit) stop(tooLarge());
    else if (!fits) stop(tooMany());
    else chunks.push(chunk);
  };
  const onGone = (): void => stop('gone');
  const onEnd = (): void => {
    body.off('close', onGone);
    place.onLate = undefined;
    done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  };
  place.onLate = () => stop(apiErrors.timeout('the body of the request did not come in time'));
  body.on('data', onData).once('end', onEnd).once('close', onGone).once('error', onGone);
}

export const tooMany = (): ApiError => apiErrors.tooManyRequests('too many reviews are under way, please try again later', 1);

const ignore = (): void => {};
