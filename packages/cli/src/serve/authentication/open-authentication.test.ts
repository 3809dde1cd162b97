import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKGROUND_CLOCK, SILENT } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServeFlags } from '../flags.ts';
import { Issuers } from './issuers.ts';
import { oidcSettings, signingAlgorithms } from './oidc-flags.ts';
import { openAuthentication } from './open-authentication.ts';
import { TestIssuer } from './testing/test-issuer.ts';

const folder = temporaryFolder();
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.close());

const flags = (given: Partial<ServeFlags>): ServeFlags => given as ServeFlags;
const ISSUER = { oidcIssuerUrl: 'https://a.example.com', oidcClientId: 'kube' };

describe('the flags', () => {
  it('prefix names with the issuer, unless they are e-mail addresses or the prefix is -', async () => {
    const prefix = async (rest: Partial<ServeFlags>) =>
      (await oidcSettings(flags({ ...ISSUER, ...rest }), []))?.claimMappings.username.prefix;
    expect(await prefix({})).toBe('https://a.example.com#');
    expect(await prefix({ oidcUsernameClaim: 'email' })).toBe('');
    expect(await prefix({ oidcUsernamePrefix: '-' })).toBe('');
    expect(await prefix({ oidcUsernamePrefix: 'x:' })).toBe('x:');
  });

  it.each<[string, Partial<ServeFlags>, string]>([
    [
      'no client',
      { oidcIssuerUrl: 'https://a.b' },
      'oidc-issuer-url and oidc-client-id must be specified together',
    ],
    [
      'only a claim',
      { oidcGroupsClaim: 'groups' },
      'must be specified together when any oidc-* flags are set',
    ],
    ['http', { ...ISSUER, oidcIssuerUrl: 'http://a.b' }, 'URL scheme must be https'],
    ['a file too', { ...ISSUER, authenticationConfig: 'x' }, 'are mutually exclusive'],
  ])('with %s are refused', async (_what, given, message) => {
    await expect(openAuthentication(flags(given), SILENT)).rejects.toThrow(message);
  });

  it('allow only asymmetric algorithms', () => {
    expect(() => signingAlgorithms(flags({ oidcSigningAlgs: ['HS256'] }))).toThrow(
      'oidc: unsupported signing alg: "HS256"',
    );
  });
});

describe('the file', () => {
  const file = join(folder, 'auth.json');
  const write = (given: object): void =>
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        ...given,
      }),
    );
  const trusting = (prefix: string) => ({
    jwt: [
      {
        issuer: { url: issuer.url, audiences: ['kube'], certificateAuthority: issuer.ca },
        claimMappings: { username: { claim: 'sub', prefix } },
      },
    ],
  });

  it('may say what anonymous requests are for, if the flag does not', async () => {
    write({ anonymous: { enabled: true, conditions: [{ path: '/livez' }] } });
    expect(await openAuthentication(flags({ authenticationConfig: file }), SILENT)).toMatchObject({
      anonymousAuth: { paths: ['/livez'] },
    });
    const both = flags({ authenticationConfig: file, anonymousAuth: true });
    await expect(openAuthentication(both, SILENT)).rejects.toThrow(
      '--anonymous-auth flag cannot be set when anonymous field is configured',
    );
  });

  it('is read again when it changes; one that cannot be used changes nothing', async () => {
    write(trusting('a:'));
    const errors: string[] = [];
    const log = { ...SILENT, error: (fields: object) => errors.push((fields as { err: Error }).err.message) };
    const issuers = await Issuers.ofFile(file, {
      log,
      clock: BACKGROUND_CLOCK,
      serviceAccountIssuers: [],
      pollMs: 20,
    });
    const nameIs = (name: string) => async () =>
      JSON.stringify(await issuers.authenticateToken(await issuer.token())).includes(`"${name}"`);
    try {
      await eventually('the first prefix', nameIs('a:jane'));
      write({ jwt: 1 });
      await eventually('the error', () => errors.some((text) => text.includes('jwt must be of type array')));
      expect(await nameIs('a:jane')()).toBe(true);
      write({ ...trusting('b:'), anonymous: { enabled: false } });
      await eventually('the refusal', () => errors.some((text) => text.includes('changed from initial')));
      write(trusting('b:'));
      await eventually('the second prefix', nameIs('b:jane'));
    } finally {
      issuers.stop();
    }
  });
});
