// The client certificate of a connection. Read once per connection.
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from './exchange.ts';

const known = new WeakMap<object, ClientCertificate | null>();

export function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  let certificate = known.get(socket);
  if (certificate === undefined) {
    certificate = readCertificate(socket);
    known.set(socket, certificate);
  }
  return certificate ?? undefined;
}

function readCertificate(socket: TLSSocket): ClientCertificate | null {
  const { subject: read, fingerprint256 = '' } = socket.getPeerCertificate() ?? {};
  if (read === undefined) return null;
  // Attributes that occur more than once in a subject are lists, contrary to their types.
  const subject = read as unknown as Record<string, string | string[] | undefined>;
  return {
    commonName: [subject['CN'] ?? ''].flat().at(-1)!,
    organizations: [subject['O'] ?? []].flat(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    ...(!socket.authorized && { fault: String(socket.authorizationError ?? 'it is not trusted') }),
    chain: () => chainOf(socket.getPeerX509Certificate()),
  };
}

/** More than anybody needs; a client sends what it likes. */
const MAX_CHAIN = 8;

function chainOf(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let next = leaf; next !== undefined && chain.length < MAX_CHAIN; next = next.issuerCertificate) {
    if (next === chain.at(-1)) break;
    chain.push(next);
  }
  return chain;
}
