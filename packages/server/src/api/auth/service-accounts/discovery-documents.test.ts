import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { requestWithoutSocket } from '../../../wire/request-without-socket.ts';
import { issuerRoutes } from './discovery-documents.ts';
import { parseSigningKey } from './keys.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = parseSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 'f');
const KEYS = '/openid/v1/jwks';
const CONFIGURATION = '/.well-known/openid-configuration';

const routes = (issuer = 'https://issuer', jwksUri?: string) =>
  issuerRoutes({
    issuer,
    jwksUri,
    host: () => 'here:6443',
    keys: async () => ({ signing: key, verifying: [key] }),
  });

async function get(path: string, table = routes(), method = 'GET', headers = {}) {
  const { status, body } = await table[path]!(requestWithoutSocket(method, path, { headers }));
  return { status, body: JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) };
}

it('lead to the keys at this server, or elsewhere', async () => {
  expect((await get(CONFIGURATION)).body).toEqual({
    issuer: 'https://issuer',
    jwks_uri: 'https://here:6443/openid/v1/jwks',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const elsewhere = await get(CONFIGURATION, routes('https://issuer', 'https://keys'));
  expect(elsewhere.body.jwks_uri).toBe('https://keys');
});

it('publish nothing private', async () => {
  const { body } = await get(KEYS);
  expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

it.each(['issuer', 'http://issuer', 'https://issuer?a', 'https://issuer#a'])(
  'are not there for the issuer %s',
  (issuer) => {
    expect(routes(issuer)).toEqual({});
  },
);

it.each([
  ['POST', {}, 405],
  ['HEAD', {}, 405],
  ['GET', { accept: 'application/json' }, 406],
])('refuse %s %j', async (method, headers, code) => {
  await expect(get(KEYS, routes(), method, headers)).rejects.toMatchObject({ code });
});
