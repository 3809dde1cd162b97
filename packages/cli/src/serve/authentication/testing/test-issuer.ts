// An issuer of tokens on loopback, over TLS: discovery, keys that can be rotated, and tokens.
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCa, createLeaf } from '@instar/serving';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export class TestIssuer {
  readonly ca: string;
  /** What discovery answers beside the usual; `issuer` can be made wrong. */
  discovery: Record<string, unknown> = {};
  keys: readonly IssuerKey[] = [];
  /** How often the keys were fetched. */
  fetches = 0;
  readonly #server: Server;

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.ca = ca;
    server.on('request', (request, response) => {
      response.setHeader('content-type', 'application/json');
      void this.#answer(request.url ?? '').then(
        (body) => response.end(JSON.stringify(body)),
        () => response.writeHead(500).end(),
      );
    });
  }

  static async start(): Promise<TestIssuer> {
    const ca = createCa('issuer-ca', 1);
    const leaf = createLeaf(
      { ...ca, commonName: 'issuer-ca' },
      { subject: { commonName: 'issuer' }, usage: 'server', hosts: ['127.0.0.1', 'localhost'], days: 1 },
    );
    const server = createServer({ cert: leaf.certificate, key: leaf.key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TestIssuer(server, ca.certificate);
    issuer.keys = [await newKey('one')];
    return issuer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async rotate(kid: string): Promise<void> {
    this.keys = [await newKey(kid)];
  }

  /** Signed with the first key, unless it says otherwise. */
  token(
    claims: JWTPayload = {},
    signing: { key?: IssuerKey; kid?: string | undefined } = {},
  ): Promise<string> {
    const { key = this.keys[0]! } = signing;
    const kid = 'kid' in signing ? signing.kid : key.kid;
    const header = { alg: key.alg, ...(kid !== undefined && { kid }) };
    const payload = { iss: this.url, aud: 'kube', sub: 'jane', exp: seconds(3600), ...claims };
    return new SignJWT(payload).setProtectedHeader(header).sign(key.privateKey);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(path: string): Promise<unknown> {
    if (path === '/.well-known/openid-configuration')
      return { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.discovery };
    this.fetches++;
    const keys = await Promise.all(
      this.keys.map(async ({ kid, alg, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, alg })),
    );
    return { keys };
  }
}

export const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;

export async function newKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, ...pair };
}
