// A request without a socket, for tests of everything but the transports.
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ClientCertificate } from './exchange.ts';
import { IncomingRequest } from './incoming-request.ts';

type Subject = Pick<ClientCertificate, 'commonName' | 'organizations'>;

export interface RequestDetails {
  readonly headers?: ApiRequest['headers'];
  readonly body?: string | Uint8Array;
  readonly clientCertificate?: Subject;
}

export function requestWithoutSocket(
  method: string,
  url: string,
  details: RequestDetails = {},
): IncomingRequest {
  const request = IncomingRequest.of(
    {
      method,
      url,
      headers: details.headers ?? {},
      rawHeaders: [],
      socket: socketOf(details.clientCertificate),
      body: Readable.from([Buffer.from(details.body ?? '')]),
      onAborted: () => {},
    },
    Number.POSITIVE_INFINITY,
  );
  if (request === undefined) throw new Error(`${url} is not a path`);
  return request;
}

/** The parts of a socket that a request reads. */
function socketOf(certificate: Subject | undefined): TLSSocket {
  const subject = { CN: certificate?.commonName, O: certificate?.organizations };
  const socket = {
    remoteAddress: '127.0.0.1',
    authorized: certificate !== undefined,
    getPeerCertificate: () => (certificate === undefined ? {} : { subject, fingerprint256: 'AB:CD' }),
  };
  return socket as unknown as TLSSocket;
}
