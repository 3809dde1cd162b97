// What an issuer may not make of its users: a whole server that trusts it, with the prefixes of the flags.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServeFlags } from '../flags.ts';
import { openAuthentication } from './open-authentication.ts';
import { seconds, TestIssuer } from './testing/test-issuer.ts';

const folder = temporaryFolder();
let issuer: TestIssuer;
let api: EmbeddedApi;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  const oidcCaFile = join(folder, 'issuer.crt');
  writeFileSync(oidcCaFile, issuer.ca);
  const flags = {
    oidcIssuerUrl: issuer.url,
    oidcClientId: 'kube',
    oidcUsernamePrefix: 'oidc:',
    oidcGroupsClaim: 'groups',
    oidcGroupsPrefix: 'oidc:',
    oidcSigningAlgs: ['ES256'],
    oidcCaFile,
  };
  api = await EmbeddedApi.start(await openAuthentication(flags as unknown as ServeFlags, SILENT));
  await eventually('the keys are known', async () => (await list({})).status !== 401);
});
afterAll(async () => {
  await api.close();
  issuer.close();
});

const list = async (claims: JWTPayload) =>
  api.send('GET', '/api/v1/secrets', undefined, { authorization: `Bearer ${await issuer.token(claims)}` });

it.each<[string, JWTPayload, string]>([
  ['its name', {}, 'oidc:jane'],
  [
    'the name of a controller',
    { sub: 'system:kube-controller-manager' },
    'oidc:system:kube-controller-manager',
  ],
  ['the group of administrators', { groups: ['system:masters'] }, 'oidc:jane'],
])('a user with %s has the prefix, and no permission', async (_what, claims, name) => {
  const { status, body } = await list(claims);
  expect([status, body.message]).toEqual([403, expect.stringContaining(`User "${name}" cannot list`)]);
});

it.each<[string, JWTPayload]>([
  ['for somebody else', { aud: 'other' }],
  ['that has expired', { exp: seconds(-10) }],
  ['of another issuer', { iss: 'https://evil.example.com' }],
  [
    'of the issuer of service accounts',
    { iss: 'https://kubernetes.default.svc', sub: 'system:serviceaccount:a:b' },
  ],
])('a token %s is refused', async (_what, claims) => {
  expect((await list(claims)).status).toBe(401);
});
