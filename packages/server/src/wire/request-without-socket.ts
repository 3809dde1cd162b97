// A request that came over no wire, for tests of everything that is not a transport.
import { randomUUID } from 'node:crypto';
import type { ApiRequest } from './exchange.ts';
import { type ClientCertificate, IncomingRequest } from './incoming-request.ts';

export interface RequestDetails {
  readonly headers?: ApiRequest['headers'];
  readonly body?: string | Uint8Array;
  readonly clientCertificate?: ClientCertificate;
}

export function requestWithoutSocket(
  method: string,
  url: string,
  details: RequestDetails = {},
): IncomingRequest {
  const request = IncomingRequest.of({
    id: randomUUID(),
    method,
    url,
    headers: details.headers ?? {},
    remoteAddress: '127.0.0.1',
    clientCertificate: details.clientCertificate,
    readBody: async () => Buffer.from(details.body ?? ''),
    onGone: () => {},
  });
  if (request === undefined) throw new Error(`${url} is no path`);
  return request;
}
