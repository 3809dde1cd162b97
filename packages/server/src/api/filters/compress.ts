// gzip for bodies over 128 KiB if the client accepts it, at the fastest level, as kube-apiserver does. The
// work is done off the event loop.

import { type ApiRequest, type ApiResponse, type Finisher, isStreamBody } from '../../wire/exchange.ts';
import { gzipParts } from '../../wire/gzip.ts';

const THRESHOLD_BYTES = 128 * 1024;

export const compress: Finisher = (request, response) =>
  shouldCompress(request, response) ? compressed(response) : response;

function shouldCompress(request: ApiRequest, { body, headers }: ApiResponse): boolean {
  if (body === undefined || isStreamBody(body) || headers['content-encoding'] !== undefined) return false;
  return byteLength(body) > THRESHOLD_BYTES && acceptsGzip(request.headers['accept-encoding']);
}

const byteLength = (body: Uint8Array | readonly Uint8Array[]): number =>
  body instanceof Uint8Array ? body.byteLength : body.reduce((sum, part) => sum + part.byteLength, 0);

/** Upstream looks for the bare token: "gzip;q=1" does not count. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const text = Array.isArray(header) ? header.join(',') : header;
  return text?.split(',').some((token) => token.trim() === 'gzip') ?? false;
}

async function compressed(response: ApiResponse): Promise<ApiResponse> {
  const body = response.body as Uint8Array | readonly Uint8Array[];
  const parts = await gzipParts(body instanceof Uint8Array ? [body] : body);
  return {
    ...response,
    headers: { ...response.headers, 'content-encoding': 'gzip', vary: varyOf(response) },
    body: parts,
  };
}

/** Keeps what else the response depends on. */
function varyOf({ headers }: ApiResponse): string {
  const vary = headers['vary'];
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}
