// Attempts of a user to get where they do not belong, each with the answer that it must get. The user may
// list and get config maps in one namespace, and write roles and bindings there; everything else is
// forbidden.

import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { createCa, createLeaf, createRequest } from '@instar/serving';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi, type HttpMethod } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const TOKEN = 'mallory-token';
const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const KEY = String(newKey());
let api: EmbeddedApi;
const folder = temporaryFolder();
const PROXY_CA = { ...createCa('proxies', 1), commonName: 'proxies' };
const PROXY_CA_FILE = join(folder, 'proxies.crt');

beforeAll(async () => {
  const tokenAuthFile = join(folder, 'tokens.csv');
  writeFileSync(tokenAuthFile, `${TOKEN},mallory,1,guests\n`, { mode: 0o600 });
  const signingKeyFile = join(folder, 'tokens.key');
  writeFileSync(signingKeyFile, KEY, { mode: 0o600 });
  writeFileSync(PROXY_CA_FILE, PROXY_CA.certificate);
  api = await EmbeddedApi.start({
    bootstrapTokenAuth: true,
    frontProxy: {
      clientCaFile: PROXY_CA_FILE,
      allowedNames: ['front'],
      usernameHeaders: ['X-Remote-User'],
      uidHeaders: [],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    },
    tokenAuthFile,
    serviceAccounts: { signingKeyFile },
  });
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [GROUP], resources: ['roles', 'rolebindings'], verbs: ['create', 'update', 'patch', 'get'] },
    { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['update', 'patch', 'get'] },
  ];
  const subjects = [{ kind: 'User', apiGroup: GROUP, name: 'mallory' }];
  const roleRef = { apiGroup: GROUP, kind: 'Role', name: 'mallory' };
  await admin('POST', `${RBAC}/namespaces/default/roles`, { metadata: { name: 'mallory' }, rules });
  await admin('POST', `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'mallory' },
    subjects,
    roleRef,
  });
  for (const name of ['mine', 'other'])
    await admin('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name },
      stringData: { a: 'secret' },
    });
});
afterAll(() => api.close());

async function admin(method: HttpMethod, path: string, body: unknown): Promise<void> {
  const { status } = await api.send(method, path, body);
  expect(status).toBe(201);
}

/** Sends the path as it is: other clients would normalize it. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  body?: unknown,
  own?: { readonly certificate: string; readonly key: string },
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(api.server.url);
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      {
        hostname,
        port,
        path,
        method,
        ca: api.server.caCertificate,
        agent: false,
        ...(own && { cert: own.certificate, key: own.key }),
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += String(chunk);
          // A watch does not end by itself.
          if (path.includes('watch')) response.destroy();
        });
        response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const CANNOT = (verb: string, resource: string, where = 'in the namespace \\"default\\"', group = '') =>
  `User \\"mallory\\" cannot ${verb} resource \\"${resource}\\" in API group \\"${group}\\" ${where}`;
const CLUSTER = 'at the cluster scope';
const SECRETS = '/api/v1/namespaces/default/secrets';

describe('paths', () => {
  it.each<[string, string, number, string]>([
    ['the list of a kind without permission', SECRETS, 403, CANNOT('list', 'secrets')],
    ['another object than the named one', `${SECRETS}/other`, 403, CANNOT('get', 'secrets')],
    ['all namespaces', '/api/v1/configmaps', 403, CANNOT('list', 'configmaps', CLUSTER)],
    [
      'another namespace',
      '/api/v1/namespaces/kube-system/configmaps',
      403,
      'in the namespace \\"kube-system\\"',
    ],
    ['a doubled slash at the start', `/${SECRETS}`, 403, 'cannot'],
    ['a slash at the end', `${SECRETS}/`, 403, CANNOT('list', 'secrets')],
    ['an escaped slash', '/api/v1/namespaces/default/configmaps%2f..%2fsecrets', 403, 'cannot'],
    ['dots', '/api/v1/namespaces/default/configmaps/../secrets', 403, 'cannot'],
    ['another case', '/api/v1/namespaces/default/Secrets', 403, CANNOT('list', 'Secrets')],
    [
      'the older form of a watch',
      '/api/v1/watch/namespaces/default/secrets',
      403,
      CANNOT('watch', 'secrets'),
    ],
    ['a watch by a parameter', `${SECRETS}?watch=1`, 403, CANNOT('watch', 'secrets')],
    [
      'a watch of what may only be listed',
      '/api/v1/namespaces/default/configmaps?watch=true',
      403,
      'cannot watch',
    ],
    [
      'a subresource',
      '/api/v1/namespaces/default/configmaps/x/status',
      403,
      CANNOT('get', 'configmaps/status'),
    ],
    ['metrics', '/metrics', 403, 'User \\"mallory\\" cannot get path \\"/metrics\\"'],
    ['logs', '/logs/kube-apiserver.log', 403, 'cannot get path'],
  ])('to %s are refused', async (_, path, status, text) => {
    const answer = await raw('GET', path);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it('with the field selector of another name are refused', async () => {
    const answer = await raw('GET', `${SECRETS}?fieldSelector=metadata.name%3Dother`);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(CANNOT('list', 'secrets'))]);
  });

  it.each(['list', 'watch'])('with the field selector of the own name %s only that object', async (verb) => {
    const query = `fieldSelector=metadata.name%3Dmine${verb === 'watch' ? '&watch=1' : ''}`;
    const { status, text } = await raw('GET', `${SECRETS}?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('"mine"');
    expect(text).not.toContain('"other"');
  });

  it('with two selectors of names do not reach the second', async () => {
    const { text } = await raw('GET', `${SECRETS}?fieldSelector=metadata.name%3Dmine,metadata.name%3Dother`);
    expect(text).not.toContain('c2VjcmV0');
  });
});

describe('headers', () => {
  it.each<[string, Record<string, string | string[]>, number, string]>([
    ['another user', { 'Impersonate-User': 'root' }, 403, 'cannot impersonate'],
    [
      'a group',
      { 'Impersonate-User': 'mallory', 'Impersonate-Group': 'system:masters' },
      403,
      'cannot impersonate',
    ],
    ['a group alone', { 'Impersonate-Group': 'system:masters' }, 400, 'without impersonating a user name'],
    ['an empty user', { 'Impersonate-User': '', 'Impersonate-Group': 'system:masters' }, 400, 'without'],
    ['a uid alone', { 'Impersonate-Uid': '1' }, 400, 'without impersonating a user name'],
    ['extra alone', { 'Impersonate-Extra-Scopes': 'x' }, 400, 'without impersonating a user name'],
    ['a proxy', { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' }, 403, 'User \\"mallory\\"'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 401, 'Unauthorized'],
    [
      'a wrong token with impersonation',
      { authorization: 'Bearer x', 'Impersonate-User': 'root' },
      401,
      'Unauthorized',
    ],
    ['no token', { authorization: '' }, 403, 'User \\"system:anonymous\\" cannot list'],
    ['another method', { 'X-HTTP-Method-Override': 'GET' }, 403, 'cannot list'],
  ])('that claim %s are refused', async (_, headers, status, text) => {
    const answer = await raw('GET', SECRETS, headers);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  });
});

describe('writes', () => {
  const roles = `${RBAC}/namespaces/default/roles`;
  const bindings = `${RBAC}/namespaces/default/rolebindings`;
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const bindingTo = (kind: string, name: string) => ({
    metadata: { name: 'grab' },
    subjects: [{ kind: 'User', apiGroup: GROUP, name: 'mallory' }],
    roleRef: { apiGroup: GROUP, kind, name },
  });
  const HELD = 'attempting to grant RBAC permissions not currently held';

  it.each<[string, string, string, unknown, string]>([
    ['a role with more', 'POST', roles, { metadata: { name: 'x' }, rules: everything }, HELD],
    [
      'more in the own role',
      'PUT',
      `${roles}/mallory`,
      { metadata: { name: 'mallory' }, rules: everything },
      HELD,
    ],
    ['a role by a PUT', 'PUT', `${roles}/new`, { metadata: { name: 'new' }, rules: everything }, HELD],
    ['a binding to a cluster role', 'POST', bindings, bindingTo('ClusterRole', 'cluster-admin'), HELD],
    [
      'a binding to all secrets',
      'POST',
      bindings,
      bindingTo('ClusterRole', 'system:aggregate-to-edit'),
      HELD,
    ],
    [
      'a binding of the cluster',
      'POST',
      `${RBAC}/clusterrolebindings`,
      bindingTo('ClusterRole', 'view'),
      'cannot create',
    ],
    [
      'a role of the cluster',
      'POST',
      `${RBAC}/clusterroles`,
      { metadata: { name: 'x' }, rules: [] },
      'cannot create',
    ],
    [
      'a role elsewhere',
      'POST',
      `${RBAC}/namespaces/kube-system/roles`,
      { metadata: { name: 'x' }, rules: [] },
      'cannot create',
    ],
    [
      'a role elsewhere by its body',
      'POST',
      roles,
      { metadata: { name: 'x', namespace: 'kube-system' }, rules: [] },
      'does not match',
    ],
    ['a definition', 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {}, 'cannot create'],
    ['a dry run', 'POST', `${roles}?dryRun=All`, { metadata: { name: 'x' }, rules: everything }, HELD],
    ['a collection', 'DELETE', '/api/v1/namespaces/default/configmaps', undefined, 'cannot deletecollection'],
  ])('of %s are refused', async (_, method, path, body, text) => {
    const answer = await raw(method, path, {}, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(text);
  });

  it.each([
    ['a merge patch', 'application/merge-patch+json', { rules: everything }],
    ['a JSON patch', 'application/json-patch+json', [{ op: 'replace', path: '/rules', value: everything }]],
    ['a strategic merge patch', 'application/strategic-merge-patch+json', { rules: everything }],
  ])('of more into the own role by %s are refused', async (_, type, body) => {
    const answer = await raw('PATCH', `${roles}/mallory`, { 'content-type': type }, body);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(HELD)]);
  });

  it('of more into the own role by apply are refused', async () => {
    const body = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Role',
      metadata: { name: 'mallory' },
      rules: everything,
    };
    const type = { 'content-type': 'application/apply-patch+yaml' };
    const answer = await raw('PATCH', `${roles}/mallory?fieldManager=m&force=true`, type, body);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(HELD)]);
  });
});

describe('reviews', () => {
  it('about others are refused', async () => {
    const spec = { user: 'root', resourceAttributes: { verb: 'get', resource: 'secrets' } };
    const answer = await raw('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {}, { spec });
    expect(answer.status).toBe(403);
  });

  it('of tokens are refused', async () => {
    const spec = { token: api.server.adminToken };
    expect((await raw('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {}, { spec })).status).toBe(403);
  });
});

it.each(['/api', '/apis', '/openapi/v2'])('anonymous users do not get %s', async (path) => {
  expect((await raw('GET', path, { authorization: '' })).status).toBe(403);
});

describe('tokens of service accounts', () => {
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await api.send('POST', path, body)).body as Record<string, unknown>;
  const remove = async (path: string) => expect((await api.send('DELETE', path)).status).toBe(200);

  async function tokenOf(name: string, spec: object = {}): Promise<string> {
    await post(ACCOUNTS, { metadata: { name } });
    const { status } = (await post(`${ACCOUNTS}/${name}/token`, { spec })) as { status: { token: string } };
    return status.token;
  }

  /** Why a credential is refused: a request learns only of a 401. */
  async function reasonFor(token: string): Promise<string> {
    const answer = await raw('GET', SECRETS, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('"message":"Unauthorized"');
    const review = await post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    const { authenticated, error } = review['status'] as { authenticated?: boolean; error: string };
    expect(authenticated).toBeUndefined();
    return error;
  }

  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  /** The token with other claims or another header, signed again with a key. */
  function forged(token: string, claims: object, header: object = {}, key = KEY): string {
    const [first, second] = token.split('.').map((part, index) => (index < 2 ? decode(part) : part));
    const input = `${encode({ ...first, ...header })}.${encode({ ...second, ...claims })}`;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }

  it('are accepted as long as nothing is wrong with them', async () => {
    const token = await tokenOf('robot');
    const answer = await raw('GET', SECRETS, { authorization: `Bearer ${forged(token, {})}` });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('User \\"system:serviceaccount:default:robot\\" cannot list'),
    ]);
  });

  const BAD_SIGNATURE = 'error in cryptographic primitive';
  it.each<[string, (token: string) => string, string]>([
    ['without a signature', (t) => `${encode({ alg: 'none' })}.${t.split('.')[1]}.`, BAD_SIGNATURE],
    [
      'that keep the signature of another',
      (t) => t.replace(/\..*\./, `.${encode({ ...decode(t.split('.')[1]!), sub: 'x' })}.`),
      BAD_SIGNATURE,
    ],
    [
      'signed with the public key as a secret',
      (t) => {
        const input = `${encode({ ...decode(t.split('.')[0]!), alg: 'HS256' })}.${t.split('.')[1]}`;
        const secret = createPublicKey(KEY).export({ type: 'spki', format: 'pem' });
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      },
      BAD_SIGNATURE,
    ],
    ['of an own key under the id of the server', (t) => forged(t, {}, {}, String(newKey())), BAD_SIGNATURE],
    [
      'that bring their own key',
      (t) => forged(t, {}, { kid: 'mine', jwk: {} }, String(newKey())),
      'no keys found',
    ],
    ['whose key is a path', (t) => forged(t, {}, { kid: '/dev/null' }), 'no keys found'],
    ['of another issuer', (t) => forged(t, { iss: 'https://evil.example.com' }), 'invalid bearer token'],
    [
      'of an older sort',
      (t) => forged(t, { iss: 'kubernetes/serviceaccount' }),
      'namespace claim is missing',
    ],
    ['that have expired', (t) => forged(t, { exp: 1 }), 'service account token has expired'],
    ['that are not valid yet', (t) => forged(t, { nbf: 9e9 }), 'service account token is not valid yet'],
    ['for another audience', (t) => forged(t, { aud: ['vault'] }), 'is invalid for the target audiences'],
    [
      'for a part of an audience',
      (t) => forged(t, { aud: ['https://kubernetes'] }),
      'is invalid for the target',
    ],
    [
      'of an account of a prototype',
      (t) => forged(t, { 'kubernetes.io': { namespace: 'default', serviceaccount: { name: '__proto__' } } }),
      'not found',
    ],
    [
      'that are too long',
      (t) => forged(t, { more: 'x'.repeat(9000) }).slice(0, 12_000),
      'invalid bearer token',
    ],
  ])('%s are refused', async (_, change, why) => {
    expect(await reasonFor(change(await tokenOf('robot')))).toContain(why);
  });

  it('of an account that is gone are refused, also when there is a new one of its name', async () => {
    const token = await tokenOf('gone');
    await remove(`${ACCOUNTS}/gone`);
    expect(await reasonFor(token)).toContain('serviceaccounts "gone" not found');
    await post(ACCOUNTS, { metadata: { name: 'gone' } });
    expect(await reasonFor(token)).toMatch(/service account UID \(.+\) does not match claim/);
  });

  it('bound to a secret are refused without it, also when there is a new one of its name', async () => {
    await post(SECRETS, { metadata: { name: 'leash' } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'leash' };
    const token = await tokenOf('robot', { boundObjectRef });
    await remove(`${SECRETS}/leash`);
    expect(await reasonFor(token)).toContain('service account token has been invalidated');
    await post(SECRETS, { metadata: { name: 'leash' } });
    expect(await reasonFor(token)).toMatch(/secret UID \(.+\) does not match service account secret ref/);
  });

  it('cannot be asked for by who may not', async () => {
    const answer = await raw('POST', `${ACCOUNTS}/robot/token`, {}, { spec: {} });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining(CANNOT('create', 'serviceaccounts/token')),
    ]);
  });

  it('cannot be put into a secret', async () => {
    const token = await tokenOf('robot');
    const legacy = 'kubernetes.io/serviceaccount/';
    const claims = {
      iss: 'kubernetes/serviceaccount',
      aud: undefined,
      [`${legacy}namespace`]: 'default',
      [`${legacy}secret.name`]: 'mine',
      [`${legacy}service-account.name`]: 'robot',
      [`${legacy}service-account.uid`]: 'u',
    };
    expect(await reasonFor(forged(token, claims))).toContain("Token does not match server's copy");
  });
});

describe('certificates', () => {
  const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const CLIENT = 'kubernetes.io/kube-apiserver-client';
  const MINE = { authorization: `Bearer ${TOKEN}` };

  beforeAll(async () => {
    const rules = [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests'],
        verbs: ['create', 'get'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
        verbs: ['update'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames: ['example.com/mine'],
        verbs: ['approve', 'sign'],
      },
    ];
    await admin('POST', `${RBAC}/clusterroles`, { metadata: { name: 'asker' }, rules });
    await admin('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'asker' },
      subjects: [{ kind: 'User', apiGroup: GROUP, name: 'mallory' }],
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'asker' },
    });
  });

  const csr = (name: string, signerName: string, organizations: string[] = [], more: object = {}) => ({
    metadata: { name },
    spec: {
      request: Buffer.from(createRequest({ commonName: 'mallory', organizations }).certificate).toString(
        'base64',
      ),
      signerName,
      usages: ['client auth'],
      ...more,
    },
  });
  const APPROVED = { conditions: [{ type: 'Approved', status: 'True', reason: 'Mine' }] };

  it('for system:masters cannot be asked for', async () => {
    const answer = await raw('POST', CSRS, MINE, csr('root', CLIENT, ['system:masters']));
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining(`use of ${CLIENT} signer with system:masters group is not allowed`),
    ]);
  });

  it('cannot be approved for a signer that is not permitted, nor by asking as somebody else', async () => {
    const made = await raw(
      'POST',
      CSRS,
      MINE,
      csr('own', CLIENT, [], { username: 'root', groups: ['system:masters'] }),
    );
    const object = JSON.parse(made.text);
    expect(object.spec).toMatchObject({ username: 'mallory', groups: ['guests', 'system:authenticated'] });
    const answer = await raw('PUT', `${CSRS}/own/approval`, MINE, { ...object, status: APPROVED });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining(`user not permitted to approve requests with signerName \\"${CLIENT}\\"`),
    ]);
  });

  it('cannot be written by who may not sign, and a request cannot change its signer', async () => {
    const made = JSON.parse((await raw('POST', CSRS, MINE, csr('write', CLIENT))).text);
    const status = { certificate: Buffer.from(PROXY_CA.certificate).toString('base64') };
    const answer = await raw('PUT', `${CSRS}/write/status`, MINE, { ...made, status });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('user not permitted to sign'),
    ]);
    const spec = { ...made.spec, signerName: 'example.com/mine' };
    const approval = await raw('PUT', `${CSRS}/write/approval`, MINE, { ...made, spec, status: APPROVED });
    expect([approval.status, approval.text]).toEqual([403, expect.stringContaining(CLIENT)]);
  });

  it('are not approved by creating a request that says so', async () => {
    const made = await raw('POST', CSRS, MINE, { ...csr('early', CLIENT), status: APPROVED });
    expect(JSON.parse(made.text).status).toEqual({});
  });

  it('are not signed for a signer of others, even if they are approved', async () => {
    const made = JSON.parse((await raw('POST', CSRS, MINE, csr('other', 'example.com/mine'))).text);
    const answer = await raw('PUT', `${CSRS}/other/approval`, MINE, { ...made, status: APPROVED });
    expect([answer.status, JSON.parse(answer.text).status.certificate]).toEqual([200, undefined]);
  });
});

describe('proxies', () => {
  const ROOT = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
  const withCertificate = (ca: typeof PROXY_CA, commonName: string, headers: Record<string, string>) => {
    const own = createLeaf(ca, { subject: { commonName }, usage: 'client', days: 1 });
    return raw('GET', SECRETS, { authorization: '', ...headers }, undefined, own);
  };

  it('are believed with their certificate', async () => {
    expect((await withCertificate(PROXY_CA, 'front', ROOT)).status).toBe(200);
  });

  it.each<[string, typeof PROXY_CA, string, Record<string, string>]>([
    ['of another name', PROXY_CA, 'back', ROOT],
    ['of another CA', { ...createCa('proxies', 1), commonName: 'proxies' }, 'front', ROOT],
    ['that name nobody', PROXY_CA, 'front', {}],
    ['that name a group alone', PROXY_CA, 'front', { 'X-Remote-Group': 'system:masters' }],
    ['that name an empty user', PROXY_CA, 'front', { ...ROOT, 'X-Remote-User': '' }],
    ['that use underscores', PROXY_CA, 'front', { X_Remote_User: 'root', X_Remote_Group: 'system:masters' }],
  ])('%s are refused', async (_what, ca, name, headers) => {
    expect((await withCertificate(ca, name, headers)).status).toBe(401);
  });

  it('are nobody without a certificate', async () => {
    const answer = await raw('GET', SECRETS, { authorization: '', ...ROOT });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('system:anonymous')]);
  });
});

describe('bootstrap tokens', () => {
  const secret = (id: string, data: object, type = 'bootstrap.kubernetes.io/token') => ({
    metadata: { name: `bootstrap-token-${id}` },
    type,
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
      ...data,
    },
  });
  const use = (id: string) => raw('GET', SECRETS, { authorization: `Bearer ${id}.0123456789abcdef` });
  const keep = (body: object, namespace = 'kube-system') =>
    admin('POST', `/api/v1/namespaces/${namespace}/secrets`, body);

  it('are users with few permissions', async () => {
    await keep(secret('aaaaa1', {}));
    const answer = await use('aaaaa1');
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('User \\"system:bootstrap:aaaaa1\\" cannot list'),
    ]);
  });

  it.each<[string, string, object]>([
    ['that have expired', 'aaaaa2', { expiration: '2020-01-01T00:00:00Z' }],
    ['that are for signing only', 'aaaaa3', { 'usage-bootstrap-authentication': 'false' }],
    ['that claim a group of the system', 'aaaaa4', { 'auth-extra-groups': 'system:masters' }],
    ['of another id', 'aaaaa5', { 'token-id': 'aaaaa1' }],
  ])('%s are refused', async (_what, id, data) => {
    await keep(secret(id, data));
    expect((await use(id)).status).toBe(401);
  });

  it('of another sort of secret, or in another namespace, are refused', async () => {
    await keep(secret('aaaaa6', {}, 'Opaque'));
    await keep(secret('aaaaa7', {}), 'default');
    expect([(await use('aaaaa6')).status, (await use('aaaaa7')).status]).toEqual([401, 401]);
  });

  it('end with their secret', async () => {
    await keep(secret('aaaaa8', {}));
    expect((await use('aaaaa8')).status).toBe(403);
    await api.send('DELETE', '/api/v1/namespaces/kube-system/secrets/bootstrap-token-aaaaa8');
    expect((await use('aaaaa8')).status).toBe(401);
  });
});
