import { createHmac } from 'node:crypto';
import { SILENT } from '@instar/serving';
import { eventually, FakeClock } from '@instar/testing';
import { type JWTPayload, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JwtAuthenticator } from './jwt-authenticator.ts';
import { type JwtSettings, SIGNING_ALGORITHMS } from './jwt-settings.ts';
import { newKey, seconds, TestIssuer } from './testing/test-issuer.ts';

let issuer: TestIssuer;
let authenticator: JwtAuthenticator;
const clock = new FakeClock(Date.now());

beforeEach(async () => {
  issuer = await TestIssuer.start();
});
afterEach(() => {
  authenticator.stop();
  issuer.close();
});

interface Rest extends Partial<Omit<JwtSettings, 'issuer'>> {
  readonly issuer?: Partial<JwtSettings['issuer']>;
}

async function trust(rest: Rest = {}, algorithms = SIGNING_ALGORITHMS): Promise<void> {
  const settings: JwtSettings = {
    claimMappings: { username: { claim: 'sub', prefix: 'oidc:' }, groups: { claim: 'groups', prefix: '' } },
    ...rest,
    issuer: { url: issuer.url, audiences: ['kube'], certificateAuthority: issuer.ca, ...rest.issuer },
  };
  authenticator = new JwtAuthenticator({ settings, algorithms, log: SILENT, clock });
  authenticator.start();
  await eventually('the keys are fetched', () => issuer.fetches > 0);
}

async function verdictOf(token: string) {
  let verdict = await authenticator.authenticateToken(token);
  // The keys have been sent, and may not be parsed yet.
  await eventually('the keys are known', async () => {
    verdict = await authenticator.authenticateToken(token);
    return !JSON.stringify(verdict ?? '').includes('not initialized');
  });
  return verdict;
}

const claims = async (given: JWTPayload): Promise<unknown> => verdictOf(await issuer.token(given));

describe('a token of the issuer', () => {
  it('becomes its user, with the prefix', async () => {
    await trust();
    expect(await claims({ groups: ['a', 'b'], jti: '7' })).toEqual({
      user: {
        name: 'oidc:jane',
        uid: '',
        groups: ['a', 'b', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=7'] },
      },
    });
  });

  it('may have one group as a string', async () => {
    await trust();
    expect(await claims({ groups: 'a' })).toMatchObject({ user: { groups: ['a', 'system:authenticated'] } });
  });

  it('is accepted after a rotation of keys, as soon as it names the new one', async () => {
    await trust();
    await claims({});
    await issuer.rotate('two');
    await clock.pass(11_000);
    expect(await claims({})).toMatchObject({ user: { name: 'oidc:jane' } });
  });

  it('is found without the id of its key', async () => {
    issuer.keys = [...issuer.keys, await newKey('two')];
    await trust();
    const token = await issuer.token({}, { key: issuer.keys[1]!, kid: undefined });
    expect(await verdictOf(token)).toMatchObject({ user: { name: 'oidc:jane' } });
  });
});

describe('a token is refused', () => {
  it.each<[string, () => JWTPayload, string]>([
    [
      'for another audience',
      () => ({ aud: 'other' }),
      'oidc: verify token: oidc: expected audience "kube" got ["other"]',
    ],
    ['without an audience', () => ({ aud: undefined as never }), 'expected audience "kube" got []'],
    [
      'that has expired',
      () => ({ exp: seconds(-60) }),
      'oidc: verify token: oidc: token is expired (Token Expiry: ',
    ],
    ['without an end', () => ({ exp: undefined as never }), 'token is expired'],
    ['of the future', () => ({ nbf: seconds(600) }), 'current time is before the nbf'],
    [
      'without a name',
      () => ({ sub: undefined as never }),
      'oidc: parse username claims "sub": claim not present',
    ],
    ['with a name that is no string', () => ({ sub: 7 as never }), 'oidc: parse username claims "sub"'],
    ['with groups that are none', () => ({ groups: [1] }), 'oidc: parse groups claim "groups"'],
  ])('%s', async (_what, given, reason) => {
    await trust();
    expect(await claims(given())).toEqual({ refused: [expect.stringContaining(reason)] });
  });

  it('that another key signed under the same id', async () => {
    await trust();
    const token = await issuer.token({}, { key: await newKey('one') });
    expect(await verdictOf(token)).toEqual({
      refused: [expect.stringContaining('failed to verify signature')],
    });
  });

  it('whose key is unknown, and asks the issuer no more than once in a while', async () => {
    await trust();
    await claims({});
    const before = issuer.fetches;
    await clock.pass(11_000);
    for (let index = 0; index < 5; index++)
      expect(await verdictOf(await issuer.token({}, { kid: `x${index}` }))).toMatchObject({ refused: [/./] });
    expect(issuer.fetches - before).toBe(1);
  });

  it('that is not signed', async () => {
    await trust();
    const token = new UnsecuredJWT({ iss: issuer.url, aud: 'kube', sub: 'jane', exp: seconds(60) }).encode();
    const verdict = await verdictOf(token);
    expect(verdict).toEqual({ refused: [expect.stringContaining('signed with unsupported algorithm')] });
  });

  it('that is signed with the public key as a secret', async () => {
    await trust();
    const [, payload] = (await issuer.token()).split('.');
    const header = Buffer.from('{"alg":"HS256","kid":"one"}').toString('base64url');
    const mac = createHmac('sha256', 'public').update(`${header}.${payload}`).digest('base64url');
    const verdict = await verdictOf(`${header}.${payload}.${mac}`);
    expect(verdict).toEqual({ refused: [expect.stringContaining('got "HS256"')] });
  });

  it('by an algorithm that is not allowed', async () => {
    await trust({}, ['RS256']);
    expect(await claims({})).toEqual({
      refused: [expect.stringContaining('expected ["RS256"] got "ES256"')],
    });
  });

  it('whose claims were changed', async () => {
    await trust();
    const [header, , signature] = (await issuer.token()).split('.');
    const payload = Buffer.from(
      JSON.stringify({ iss: issuer.url, aud: 'kube', sub: 'root', exp: seconds(60) }),
    ).toString('base64url');
    const verdict = await verdictOf(`${header}.${payload}.${signature}`);
    expect(verdict).toEqual({ refused: [expect.stringContaining('failed to verify signature')] });
  });
});

it('has no opinion about a token of another issuer', async () => {
  await trust();
  expect(await claims({ iss: 'https://other.example.com' })).toBeUndefined();
  expect(await authenticator.authenticateToken('opaque')).toBeUndefined();
});

it('accepts no token if the issuer calls itself otherwise', async () => {
  issuer.discovery = { issuer: 'https://other.example.com' };
  const settings = {
    issuer: { url: issuer.url, audiences: ['kube'], certificateAuthority: issuer.ca },
    claimMappings: { username: { claim: 'sub', prefix: '' } },
  };
  const reasons: unknown[] = [];
  const log = { ...SILENT, warn: (fields: object) => reasons.push((fields as { err: Error }).err.message) };
  authenticator = new JwtAuthenticator({ settings, algorithms: SIGNING_ALGORITHMS, log, clock });
  authenticator.start();
  await eventually('the refusal is logged', () => reasons.length > 0);
  expect(reasons[0]).toContain('did not match the issuer URL returned by provider');
  expect(await claimsOnce()).toEqual({ refused: ['oidc: authenticator not initialized'] });
});

const claimsOnce = async () => authenticator.authenticateToken(await issuer.token());

describe('the mappings and rules', () => {
  const expression = (text: string) => ({ claimMappings: { username: { expression: text } } });

  it('make a user by expressions', async () => {
    await trust({
      claimMappings: {
        username: { expression: 'claims.sub + "@" + claims.org' },
        groups: { expression: 'claims.roles.map(r, "role:" + r)' },
        uid: { expression: 'claims.sub' },
        extra: [{ key: 'example.com/level', valueExpression: 'claims.nested.the__dot__level' }],
      },
    });
    expect(await claims({ org: 'acme', roles: ['dev'], nested: { 'the.level': '7' } })).toMatchObject({
      user: {
        name: 'jane@acme',
        uid: 'jane',
        groups: ['role:dev', 'system:authenticated'],
        extra: { 'example.com/level': ['7'] },
      },
    });
  });

  it.each<[string, Rest, JWTPayload, string]>([
    ['a name that is empty', expression('""'), {}, 'oidc: empty username via CEL expression is not allowed'],
    [
      'a name that is no string',
      expression('claims.exp'),
      {},
      'username claim expression must return a string',
    ],
    [
      'a claim that is missing',
      expression('claims.none'),
      {},
      "expression 'claims.none' resulted in error: no such key",
    ],
    [
      'an e-mail address that is not verified',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'a@b.c', email_verified: false },
      'oidc: email not verified',
    ],
    [
      'a required claim that is missing',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      {},
      'oidc: required claim hd not present in ID token',
    ],
    [
      'a required claim of another value',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      { hd: 'other' },
      'oidc: required claim hd value does not match. Got = other, want = acme',
    ],
    [
      'a rule that does not hold',
      { claimValidationRules: [{ expression: 'claims.exp - claims.nbf <= 60', message: 'too long' }] },
      { nbf: seconds(-60) },
      "validation expression 'claims.exp - claims.nbf <= 60' failed: too long",
    ],
    [
      'a user that the rules do not allow',
      { userValidationRules: [{ expression: "!user.username.startsWith('oidc:j')", message: 'no j' }] },
      {},
      "validation expression '!user.username.startsWith('oidc:j')' failed: no j",
    ],
    [
      'a user in a group of the system',
      {
        userValidationRules: [
          { expression: "user.groups.all(g, !g.startsWith('system:'))", message: 'reserved' },
        ],
      },
      { groups: ['system:masters'] },
      'failed: reserved',
    ],
  ])('refuse %s', async (_what, rest, given, reason) => {
    await trust(rest);
    expect(await claims(given)).toEqual({ refused: [expect.stringContaining(reason)] });
  });
});
