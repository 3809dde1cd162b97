// The subject of a connection's client certificate, if it was verified. Read once per connection.
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from './incoming-request.ts';

const known = new WeakMap<object, ClientCertificate | null>();

export function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  let certificate = known.get(socket);
  if (certificate === undefined) {
    certificate = readSubject(socket);
    known.set(socket, certificate);
  }
  return certificate ?? undefined;
}

function readSubject(socket: TLSSocket): ClientCertificate | null {
  if (!socket.authorized) return null;
  // Attributes that occur more than once in a subject are lists, contrary to their types.
  const subject = socket.getPeerCertificate()?.subject as
    | Record<string, string | string[] | undefined>
    | undefined;
  if (subject === undefined) return null;
  return { commonName: [subject['CN'] ?? ''].flat().at(-1)!, organizations: [subject['O'] ?? []].flat() };
}
