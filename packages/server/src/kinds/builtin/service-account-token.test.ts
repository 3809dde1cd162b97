import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let usual: EmbeddedApi;
/** With options of the operator. */
let strict: EmbeddedApi;
let api: EmbeddedApi;
beforeAll(async () => {
  const disableAdmissionPlugins = ['ServiceAccount'];
  usual = await EmbeddedApi.start({ disableAdmissionPlugins });
  strict = await EmbeddedApi.start({
    disableAdmissionPlugins,
    serviceAccounts: { issuers: ['https://one', 'https://two'], maxTokenExpirationSeconds: 3600 },
    apiAudiences: ['api', 'vault'],
  });
  for (const one of [usual, strict])
    await one.send('POST', `${CORE}/serviceaccounts`, { metadata: { name: 'robot' } });
});
beforeEach(() => {
  api = usual;
});
afterAll(() => Promise.all([usual.close(), strict.close()]));

const CORE = '/api/v1/namespaces/default';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
interface Answer {
  readonly message: string;
  readonly metadata: { readonly uid: string };
  readonly status: { readonly token: string; readonly userInfo: { readonly extra?: object } };
}
const send = async (path: string, body: object, headers: Record<string, string> = {}) =>
  (await api.send('POST', path, body, headers)) as { status: number; body: unknown };
const post = async (path: string, body: object): Promise<Answer> => (await send(path, body)).body as Answer;

const request = (spec: object, metadata: object = {}) =>
  post(`${CORE}/serviceaccounts/robot/token`, { metadata, spec });
const claimsOf = (token: string): { exp: number; iat: number; sub: string } =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'));
const whoIs = async (token: string) => {
  const { status, body } = await send(WHO, {}, { authorization: `Bearer ${token}` });
  return { status, userInfo: (body as Answer).status?.userInfo };
};

async function pod(name: string, serviceAccountName = 'robot'): Promise<Answer> {
  return post(`${CORE}/pods`, {
    metadata: { name },
    spec: { serviceAccountName, nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
  });
}

it('signs tokens that the server accepts, for as long as is asked', async () => {
  const answer = await request({ expirationSeconds: 600 });
  const { exp, iat, sub } = claimsOf(answer.status.token);
  expect(exp - iat).toBe(600);
  expect(sub).toBe('system:serviceaccount:default:robot');
  expect((await whoIs(answer.status.token)).userInfo).toMatchObject({
    username: 'system:serviceaccount:default:robot',
    uid: answer.metadata.uid,
  });
});

it('refuses the uid of another account, and another name', async () => {
  expect((await request({}, { uid: 'other' })).message).toContain(
    'the UID in the token request (other) does not match the UID of the service account',
  );
  expect((await request({}, { name: 'other' })).message).toBe(
    'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  );
});

it('binds tokens to pods of the account, and says on which node they are', async () => {
  await pod('p');
  await pod('q', 'other');
  const boundTo = (name: string) => request({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name } });
  expect((await boundTo('q')).message).toBe(
    'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  );
  const { token } = (await boundTo('p')).status;
  expect(claimsOf(token)).toMatchObject({ 'kubernetes.io': { node: { name: 'n' }, pod: { name: 'p' } } });
  expect((await whoIs(token)).userInfo.extra).toMatchObject({
    'authentication.kubernetes.io/node-name': ['n'],
    'authentication.kubernetes.io/pod-name': ['p'],
  });
  await api.send('DELETE', `${CORE}/pods/p`, { gracePeriodSeconds: 0 });
  expect((await whoIs(token)).status).toBe(401);
  await pod('p');
  expect((await whoIs(token)).status).toBe(401);
});

it('extends the tokens that pods get by default, if they are for this server', async () => {
  await pod('r');
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'r' };
  const lifetime = async (spec: object) => {
    const { exp, iat } = claimsOf((await request({ boundObjectRef, ...spec })).status.token);
    return exp - iat;
  };
  expect(await lifetime({ expirationSeconds: 3607 })).toBe(365 * 24 * 3600);
  expect(await lifetime({ expirationSeconds: 3607, audiences: ['other'] })).toBe(3607);
  expect(await lifetime({ expirationSeconds: 3608 })).toBe(3608);
});

it('shortens what is longer than the operator allows', async () => {
  api = strict;
  expect(await request({ expirationSeconds: 7200 })).toMatchObject({ spec: { expirationSeconds: 3600 } });
});

it('issues for the first issuer and the audiences of the server', async () => {
  api = strict;
  const { token } = (await request({})).status;
  expect(claimsOf(token)).toMatchObject({ iss: 'https://one', aud: ['api', 'vault'] });
  expect((await whoIs(token)).status).toBe(201);
  const elsewhere = (await request({ audiences: ['https://one'] })).status.token;
  expect((await whoIs(elsewhere)).status).toBe(401);
});
