import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { KubeObject } from '@instar/machinery';
import { beforeEach, describe, expect, it } from 'vitest';
import { CachedObject } from '../../../objects/cached-object.ts';
import { refusalText, type Verdict } from '../authentication/verdict.ts';
import { parseSigningKey, type SigningKey } from './keys.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const now = NOW / 1000;
const ISSUER = 'https://issuer';
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const rsaKey = (): SigningKey =>
  parseSigningKey(pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), 'f');
const ecKey = (): SigningKey =>
  parseSigningKey(pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), 'f');
const [rsa, ec, foreign] = [rsaKey(), ecKey(), rsaKey()];

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const account = { name: 'robot', uid: 'u1' };
const claimsWith = (more: object = {}, about: object = {}) => ({
  iss: ISSUER,
  aud: ['api'],
  iat: now,
  nbf: now,
  exp: now + 600,
  jti: 'j',
  sub: 'system:serviceaccount:ns:robot',
  'kubernetes.io': { namespace: 'ns', serviceaccount: account, ...about },
  ...more,
});

/** Signed with node:crypto, so that also what jose would not sign can be made. */
function tokenOf(claims: object, { key = rsa, header = {} as object, algorithm = 'sha256' } = {}): string {
  const input = `${encoded({ alg: key.algorithm, kid: key.id, ...header })}.${encoded(claims)}`;
  const signature = sign(algorithm, Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

let objects: Map<string, KubeObject>;
let keyReads: number;
let used: string[];
let time: number;

const put = (plural: string, metadata: KubeObject['metadata'], more: object = {}): void => {
  const place = plural === 'nodes' ? '' : 'ns';
  const object = { apiVersion: 'v1', kind: 'X', metadata, ...more };
  objects.set(`${plural}/${place}/${metadata.name}`, object as KubeObject);
};

function authenticator(verifying = [rsa, ec], issuers = [ISSUER, 'https://older']): ServiceAccountTokens {
  return new ServiceAccountTokens({
    issuers,
    audiences: ['api'],
    keys: async () => {
      keyReads++;
      return { signing: rsa, verifying };
    },
    find: async (plural, namespace, name) => {
      const object = objects.get(`${plural}/${namespace}/${name}`);
      const value = Buffer.from(JSON.stringify(object ?? {}));
      return object && CachedObject.fromEntry({ key: 'k', value, createRevision: 1, modRevision: 1 });
    },
    markUsed: ({ metadata }, label, day) => used.push(`${metadata.name} ${label} ${day}`),
    now: () => time,
  });
}

async function verdictOf(token: string, audiences: readonly string[] = ['api'], by = authenticator()) {
  return by.authenticateToken(token, audiences);
}
const refusal = (verdict: Verdict): string | undefined =>
  verdict !== undefined && 'refused' in verdict ? refusalText(verdict) : undefined;

beforeEach(() => {
  objects = new Map();
  keyReads = 0;
  used = [];
  time = NOW;
  put('serviceaccounts', { name: 'robot', uid: 'u1' });
});

describe('a token of a service account', () => {
  it.each([
    ['RSA', rsa],
    ['ECDSA', ec],
  ])('signed with %s says who its user is', async (_, key) => {
    expect(await verdictOf(tokenOf(claimsWith(), { key }))).toEqual({
      user: {
        name: 'system:serviceaccount:ns:robot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j'] },
      },
      audiences: ['api'],
    });
  });

  it('names the pod and the node that it is bound to', async () => {
    put('pods', { name: 'p', uid: 'u2' });
    const bound = { pod: { name: 'p', uid: 'u2' }, node: { name: 'n', uid: 'u3' } };
    const verdict = await verdictOf(tokenOf(claimsWith({}, bound)));
    expect(verdict).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/node-name': ['n'],
          'authentication.kubernetes.io/node-uid': ['u3'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['u2'],
        },
      },
    });
  });

  it('is verified with any of the keys if it names none', async () => {
    expect(await verdictOf(tokenOf(claimsWith(), { key: ec, header: { kid: undefined } }))).toHaveProperty(
      'user',
    );
  });

  it('may be of any of the issuers', async () => {
    expect(await verdictOf(tokenOf(claimsWith({ iss: 'https://older' })))).toHaveProperty('user');
    expect(await verdictOf(tokenOf(claimsWith({ iss: 'https://other' })))).toBeUndefined();
  });

  it('has its signature verified once, and everything else every time', async () => {
    const by = authenticator();
    const token = tokenOf(claimsWith());
    await verdictOf(token, ['api'], by);
    expect(await verdictOf(token, ['api'], by)).toHaveProperty('user');
    expect(keyReads).toBe(1);
    objects.clear();
    expect(refusal(await verdictOf(token, ['api'], by))).toBe('serviceaccounts "robot" not found');
  });

  it('tells the audit if the holder should have read a new one', async () => {
    const token = tokenOf(claimsWith({}, { warnafter: now - 5 }));
    expect(await verdictOf(token)).toMatchObject({
      annotations: {
        'authentication.k8s.io/stale-token':
          'subject: system:serviceaccount:ns:robot, seconds after warning threshold: 5',
      },
    });
    expect(await verdictOf(tokenOf(claimsWith({}, { warnafter: now + 5 })))).not.toHaveProperty(
      'annotations',
    );
  });

  it('expires after a minute for clocks that differ', async () => {
    const by = authenticator();
    const token = tokenOf(claimsWith());
    time = NOW + 660_000;
    expect(await verdictOf(token, ['api'], by)).toHaveProperty('user');
    time += 1000;
    expect(refusal(await verdictOf(token, ['api'], by))).toBe('service account token has expired');
  });
});

describe('a token is refused', () => {
  it.each([
    ['that is not valid yet', { nbf: now + 61 }, 'service account token is not valid yet'],
    ['from the future', { iat: now + 61 }, 'service account token is issued in the future'],
    [
      'for others',
      { aud: ['a', 'b"'] },
      'token audiences ["a" "b\\""] is invalid for the target audiences ["api"]',
    ],
  ])('%s', async (_, claims, why) => {
    expect(refusal(await verdictOf(tokenOf(claimsWith(claims))))).toBe(why);
  });

  it('if the account was created again', async () => {
    put('serviceaccounts', { name: 'robot', uid: 'u9' });
    expect(refusal(await verdictOf(tokenOf(claimsWith())))).toBe(
      'service account UID (u9) does not match claim (u1)',
    );
  });

  it('if the account has been ending for more than a minute', async () => {
    const ending = (deletionTimestamp: string) =>
      put('serviceaccounts', { name: 'robot', uid: 'u1', deletionTimestamp });
    ending('2029-12-31T23:59:30Z');
    expect(await verdictOf(tokenOf(claimsWith()))).toHaveProperty('user');
    ending('2029-12-31T23:58:59Z');
    expect(refusal(await verdictOf(tokenOf(claimsWith())))).toBe('service account ns/robot has been deleted');
  });

  it.each([
    ['pod', 'pods'],
    ['secret', 'secrets'],
    ['node', 'nodes'],
  ])('without the %s that it is bound to', async (kind, plural) => {
    const token = tokenOf(claimsWith({}, { [kind]: { name: 'b', uid: 'u2' } }));
    expect(refusal(await verdictOf(token))).toBe('service account token has been invalidated');
    put(plural, { name: 'b', uid: 'u9' });
    expect(refusal(await verdictOf(token))).toBe(
      `${kind} UID (u9) does not match service account ${kind} ref claim (u2)`,
    );
    put(plural, { name: 'b', uid: 'u2', deletionTimestamp: '2029-12-31T00:00:00Z' });
    expect(refusal(await verdictOf(token))).toBe('service account token has been invalidated');
    put(plural, { name: 'b', uid: 'u2' });
    expect(await verdictOf(token)).toHaveProperty('user');
  });
});

describe('a forged token is refused', () => {
  const BAD = 'go-jose/go-jose: error in cryptographic primitive';
  const claims = claimsWith();
  const hmac = (secret: string): string => {
    const input = `${encoded({ alg: 'HS256', kid: rsa.id })}.${encoded(claims)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const publicPem = rsa.key.export({ type: 'spki', format: 'pem' }) as string;
  it.each([
    ['without a signature', `${encoded({ alg: 'none' })}.${encoded(claims)}.`, BAD],
    ['with the public key as a shared secret', hmac(publicPem), BAD],
    ['by a foreign key', tokenOf(claims, { key: foreign }), 'invalid signature, no keys found'],
    ['by a foreign key under a known id', tokenOf(claims, { key: foreign, header: { kid: rsa.id } }), BAD],
    ['by a key under the id of another', tokenOf(claims, { key: ec, header: { kid: rsa.id } }), BAD],
    ['that brings its own key', tokenOf(claims, { key: foreign, header: { kid: rsa.id, jwk: {} } }), BAD],
    [
      'with an id that is a path',
      tokenOf(claims, { header: { kid: '../../dev/null' } }),
      'invalid signature, no keys found',
    ],
    ['with a critical extension', tokenOf(claims, { header: { crit: ['exp'] } }), BAD],
    ['with another hash than its algorithm', tokenOf(claims, { algorithm: 'sha512' }), BAD],
    ['with an algorithm of no key', tokenOf(claims, { header: { alg: 'RS512' }, algorithm: 'sha512' }), BAD],
  ])('%s', async (_, token, why) => {
    expect(refusal(await verdictOf(token))).toBe(why);
  });

  it('with claims that were changed', async () => {
    const [header, , signature] = tokenOf(claims).split('.');
    const changed = encoded(claimsWith({ aud: ['api', 'more'] }));
    expect(refusal(await verdictOf(`${header}.${changed}.${signature}`))).toBe(BAD);
  });

  it('by a key that was retired', async () => {
    expect(refusal(await verdictOf(tokenOf(claims), ['api'], authenticator([ec])))).toBe(
      'invalid signature, no keys found',
    );
  });

  it.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', `.${encoded([])}.`, `{"payload":"x"}`, 'x'.repeat(70_000)])(
    'not, if it is no such token: %#',
    async (token) => {
      expect(await verdictOf(token)).toBeUndefined();
    },
  );
});

describe('a token in a secret', () => {
  const claim = 'kubernetes.io/serviceaccount/';
  const legacy = tokenOf({
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:ns:robot',
    [`${claim}namespace`]: 'ns',
    [`${claim}secret.name`]: 's',
    [`${claim}service-account.name`]: 'robot',
    [`${claim}service-account.uid`]: 'u1',
  });
  const store = (token: string, labels?: Record<string, string>) =>
    put(
      'secrets',
      { name: 's', uid: 'u5', ...(labels && { labels }) },
      {
        data: { token: Buffer.from(token).toString('base64') },
      },
    );

  it('is valid while the secret holds it, and leaves a mark', async () => {
    store(legacy);
    expect(await verdictOf(legacy)).toMatchObject({
      user: { name: 'system:serviceaccount:ns:robot', extra: {} },
      audiences: ['api'],
    });
    expect(used).toEqual(['s kubernetes.io/legacy-token-last-used 2030-01-01']);
    store('another');
    expect(refusal(await verdictOf(legacy))).toBe("Token does not match server's copy");
    objects.delete('secrets/ns/s');
    expect(refusal(await verdictOf(legacy))).toBe('Token has been invalidated');
  });

  it('is for this server only', async () => {
    store(legacy);
    expect(refusal(await verdictOf(legacy, ['elsewhere']))).toContain('is invalid for the target audiences');
  });

  it('can be marked invalid', async () => {
    store(legacy, { 'kubernetes.io/legacy-token-invalid-since': '2029-01-01' });
    expect(refusal(await verdictOf(legacy))).toContain('has been marked invalid');
  });

  it('warns if a controller made it', async () => {
    store(legacy, { 'kubernetes.io/legacy-token-last-used': '2030-01-01' });
    put('serviceaccounts', { name: 'robot', uid: 'u1' }, { secrets: [{ name: 's' }] });
    expect(await verdictOf(legacy)).toMatchObject({
      warnings: [expect.stringContaining('Use tokens from the TokenRequest API')],
    });
    expect(used).toEqual([]);
  });
});
