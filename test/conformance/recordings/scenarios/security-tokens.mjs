// Tokens of service accounts: asked for, used, reviewed and lost.
import {
  AUTHN,
  account,
  as,
  clean,
  grant,
  lean,
  MERGE,
  make,
  names,
  rule,
  STRATEGIC,
  scene,
} from './helpers/security.mjs';

const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
const noToken = (b) => {
  const { token, ...status } = b.status;
  const c = token && claims(token);
  return { ...b, status: { ...status, token: token && '<token>' }, lifetime: c && c.exp - c.iat };
};
const request = (spec, rest = {}) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec,
  ...rest,
});
const WHO = `${AUTHN}/selfsubjectreviews`;
const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const jtis = (b) => JSON.parse(JSON.stringify(b).replace(/JTI=[0-9a-f-]{36}/g, 'JTI=<jti>'));

async function accounts(t, ns, ...list) {
  const url = `/api/v1/namespaces/${ns}/serviceaccounts`;
  await make(
    t,
    url,
    ...list.map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })),
  );
  return url;
}

export async function tokenRequests(t) {
  const ns = await t.namespace('conf-sec-token');
  const url = await accounts(t, ns, 'robot');
  const at = `${url}/robot/token`;
  const secrets = `/api/v1/namespaces/${ns}/secrets`;
  await make(t, secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bound' } });
  const ask = (label, spec, rest = {}) =>
    t.step(label, 'POST', at, { body: request(spec, rest), pick: noToken });
  const first = await ask('nothing said', {});
  const c = claims(first.status.token);
  t.note('its claims', {
    ...c,
    iat: '<n>',
    nbf: c.nbf === c.iat,
    exp: c.exp - c.iat,
    jti: '<jti>',
    aud: c.aud.length,
  });
  const head = JSON.parse(Buffer.from(first.status.token.split('.')[0], 'base64url'));
  t.note('its header', { ...head, kid: Boolean(head.kid) });
  await ask('audiences', { audiences: ['a', 'b'] });
  await ask('an empty audience', { audiences: [''] });
  await ask('a lifetime', { expirationSeconds: 7200 });
  await ask('the shortest', { expirationSeconds: 600 });
  await ask('shorter', { expirationSeconds: 599 });
  await ask('none', { expirationSeconds: 0 });
  await ask('negative', { expirationSeconds: -1 });
  await ask('the longest', { expirationSeconds: 4294967296 });
  await ask('longer', { expirationSeconds: 4294967297 });
  await ask('bound to a secret', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound' } });
  await ask('bound to a secret that does not exist', {
    boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' },
  });
  await ask('bound to a pod that does not exist', {
    boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' },
  });
  await ask('bound to a node that does not exist', {
    boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'none' },
  });
  await ask('bound to another uid', {
    boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: 'other' },
  });
  await ask('bound to a config map', { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } });
  await ask('bound to a kind of another group', {
    boundObjectRef: { kind: 'Secret', apiVersion: 'example.com/v1', name: 'bound' },
  });
  await ask('bound to nothing', { boundObjectRef: {} });
  await ask('a name', {}, { metadata: { name: 'robot' } });
  await ask('another name', {}, { metadata: { name: 'other' } });
  await ask('another namespace', {}, { metadata: { namespace: 'default' } });
  await t.step('without a spec', 'POST', at, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
    pick: noToken,
  });
  await t.step('without anything', 'POST', at, { body: {}, pick: noToken });
  await t.step('without a body', 'POST', at);
  await t.step('the wrong kind', 'POST', at, { body: { apiVersion: 'v1', kind: 'ServiceAccount' } });
  await t.step('of an account that does not exist', 'POST', `${url}/none/token`, { body: request({}) });
  await t.step(
    'of a namespace that does not exist',
    'POST',
    '/api/v1/namespaces/conf-none/serviceaccounts/x/token',
    { body: request({}) },
  );
  await t.step('dry run', 'POST', `${at}?dryRun=All`, { body: request({}), pick: noToken });
  await t.step('get', 'GET', at);
  await t.step('who may not', 'POST', at, { headers: as('conf-nobody'), body: request({}) });
}

export async function useOfTokens(t) {
  const s = await scene(t, 'sec-tokenuse');
  const url = await accounts(t, s.ns, 'robot', 'gone');
  const secrets = `/api/v1/namespaces/${s.ns}/secrets`;
  const token = async (name, spec = {}) =>
    (await t.setup('POST', `${url}/${name}/token`, { body: request(spec) })).status.token;
  const bearer = (v) => ({ authorization: `Bearer ${v}` });
  const mine = await token('robot');
  await t.step('who it is', 'POST', WHO, { headers: bearer(mine), body: self, pick: (b) => jtis(b.status) });
  await t.step('nothing is allowed yet', 'GET', s.all, { headers: bearer(mine) });
  await grant(t, s.ns, 'robots', [rule(s.group, 'widgets', 'list')], account(s.ns, 'robot'));
  await t.step('then it is', 'GET', s.all, { headers: bearer(mine), pick: (b) => b.kind });
  await t.step('discovery is open to it', 'GET', `/apis/${s.group}/v1`, {
    headers: bearer(mine),
    pick: (b) => b.kind,
  });
  await t.step('the keys too', 'GET', '/openid/v1/jwks', {
    headers: { ...bearer(mine), accept: '*/*' },
    pick: (b) => typeof b,
  });
  await t.step('a token for another audience', 'GET', s.all, {
    headers: bearer(await token('robot', { audiences: ['elsewhere'] })),
  });
  await t.step('a token that was changed', 'GET', s.all, { headers: bearer(`${mine.slice(0, -6)}AAAAAA`) });
  await make(t, secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'leash' } });
  const bound = await token('robot', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'leash' } });
  await t.step('a token bound to a secret', 'POST', WHO, {
    headers: bearer(bound),
    body: self,
    pick: (b) => jtis(b.status),
  });
  await t.setup('DELETE', `${secrets}/leash`);
  await t.until(
    'the bound token to be refused',
    async () => (await t.client.request('GET', s.all, { headers: bearer(bound) })).status === 401,
    30_000,
  );
  await t.step('when the secret is gone', 'GET', s.all, { headers: bearer(bound) });
  const gone = await token('gone');
  await t.step('another account', 'POST', WHO, {
    headers: bearer(gone),
    body: self,
    pick: (b) => b.status.userInfo.username,
  });
  await t.setup('DELETE', `${url}/gone`);
  await t.until(
    'the token to be refused',
    async () => (await t.client.request('GET', s.all, { headers: bearer(gone) })).status === 401,
    30_000,
  );
  await t.step('when its account is gone', 'GET', s.all, { headers: bearer(gone) });
  await t.setup('POST', url, { body: { metadata: { name: 'gone' } } });
  await t.step('and not when there is a new one of that name', 'GET', s.all, { headers: bearer(gone) });
}

export async function tokenReviews(t) {
  const ns = await t.namespace('conf-sec-tokenreview');
  const url = await accounts(t, ns, 'robot', 'gone');
  const token = async (name, spec = {}) =>
    (await t.setup('POST', `${url}/${name}/token`, { body: request(spec) })).status.token;
  const reviews = `${AUTHN}/tokenreviews`;
  const review = (spec, rest = {}) => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec,
    ...rest,
  });
  const mine = await token('robot');
  const pick = ({ metadata, ...b }) => jtis({ ...b, spec: { ...b.spec, token: b.spec.token && '<token>' } });
  const ask = (label, spec, rest = {}) => t.step(label, 'POST', reviews, { body: review(spec, rest), pick });
  await ask('a token', { token: mine });
  await ask('for an audience it has not', { token: mine, audiences: ['elsewhere'] });
  await ask('a token of other audiences, for the server', {
    token: await token('robot', { audiences: ['one', 'two'] }),
  });
  await ask('a token of other audiences, for one of them', {
    token: await token('robot', { audiences: ['one', 'two'] }),
    audiences: ['two', 'three'],
  });
  await ask('for both', {
    token: await token('robot', { audiences: ['one', 'two'] }),
    audiences: ['two', 'one'],
  });
  await ask('a token that is unknown', { token: 'wrong' });
  await ask('something like a JWT', { token: 'a.b.c' });
  await ask('no token', {});
  await ask('an empty token', { token: '' });
  await t.step('with a name', 'POST', reviews, {
    body: review({ token: 'wrong' }, { metadata: { name: 'x' } }),
  });
  await t.step('no spec', 'POST', reviews, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' },
  });
  await t.step('get', 'GET', reviews);
  const gone = await token('gone');
  await t.setup('DELETE', `${url}/gone`);
  await t.until(
    'the token to be refused',
    async () =>
      !(await t.client.request('POST', reviews, { body: review({ token: gone }) })).body.status.authenticated,
    30_000,
  );
  await ask('a token whose account is gone', { token: gone });
  await t.step('by a service account that may', 'POST', reviews, {
    headers: as('system:serviceaccount:default:x'),
    body: review({ token: mine }),
  });
}

export async function secretsOfAccounts(t) {
  const ns = await t.namespace('conf-sec-tokensecret');
  await accounts(t, ns, 'robot');
  const secrets = `/api/v1/namespaces/${ns}/secrets`;
  await clean(t, secrets);
  const secret = (name, annotations, rest = {}) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name, annotations },
    ...rest,
  });
  await t.step('without its annotation', 'POST', secrets, { body: secret('a') });
  await t.step('with an empty annotation', 'POST', secrets, {
    body: secret('b', { 'kubernetes.io/service-account.name': '' }),
  });
  await t.step('with it', 'POST', secrets, {
    body: secret('c', { 'kubernetes.io/service-account.name': 'robot' }),
    pick: lean,
  });
  await t.step('of an account that does not exist', 'POST', secrets, {
    body: secret('d', { 'kubernetes.io/service-account.name': 'none' }),
    pick: lean,
  });
  await t.step('with data', 'POST', secrets, {
    body: secret('e', { 'kubernetes.io/service-account.name': 'robot' }, { data: { extra: 'eA==' } }),
    pick: lean,
  });
  await t.step('the annotation cannot go', 'PATCH', `${secrets}/c`, {
    body: { metadata: { annotations: null } },
    type: MERGE,
  });
  await t.step('it can change', 'PATCH', `${secrets}/c`, {
    body: { metadata: { annotations: { 'kubernetes.io/service-account.name': 'other' } } },
    type: MERGE,
    pick: lean,
  });
  await t.step('the type cannot change', 'PATCH', `${secrets}/c`, { body: { type: 'Opaque' }, type: MERGE });
  await t.step('list by type', 'GET', `${secrets}?fieldSelector=type%3Dkubernetes.io/service-account-token`, {
    pick: names,
  });
  for (const [type, data] of [
    ['kubernetes.io/dockercfg', {}],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': 'eA==' }],
    ['kubernetes.io/basic-auth', {}],
    ['kubernetes.io/ssh-auth', {}],
    ['bootstrap.kubernetes.io/token', {}],
  ]) {
    await t.step(`a secret of type ${type}`, 'POST', secrets, {
      body: {
        apiVersion: 'v1',
        kind: 'Secret',
        type,
        metadata: { name: type.replace(/[^a-z]/g, '-') },
        data,
      },
      pick: lean,
    });
  }
}

export async function serviceAccounts(t) {
  const ns = await t.namespace('conf-sec-accounts');
  const url = `/api/v1/namespaces/${ns}/serviceaccounts`;
  await clean(t, url);
  await t.step('create', 'POST', url, {
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } },
  });
  await t.step('with everything', 'POST', url, {
    body: {
      metadata: { name: 'b' },
      secrets: [{ name: 's' }, { name: 't' }],
      imagePullSecrets: [{ name: 'p' }],
      automountServiceAccountToken: false,
    },
    pick: lean,
  });
  await t.step('a bad name', 'POST', url, { body: { metadata: { name: 'Not_A_Name' } } });
  await t.step('a name with dots', 'POST', url, { body: { metadata: { name: 'a.b' } }, pick: lean });
  await t.step('an unknown field', 'POST', `${url}?fieldValidation=Strict`, {
    body: { metadata: { name: 'c' }, spec: {} },
  });
  await t.step('secrets are merged by name', 'PATCH', `${url}/b`, {
    body: { secrets: [{ name: 'u' }], imagePullSecrets: [{ name: 'q' }] },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('one of them taken out', 'PATCH', `${url}/b`, {
    body: { secrets: [{ $patch: 'delete', name: 's' }] },
    type: STRATEGIC,
    pick: (b) => b.secrets,
  });
  await t.step('as a table', 'GET', `${url}/b`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
      cells: b.rows.map((r) => r.cells.slice(0, 2)),
    }),
  });
  await t.step('update', 'PUT', `${url}/a`, {
    body: { metadata: { name: 'a' }, automountServiceAccountToken: true },
    pick: lean,
  });
  await t.step('an update of one that does not exist', 'PUT', `${url}/new`, {
    body: { metadata: { name: 'new' } },
  });
  await t.step('there is no status', 'GET', `${url}/a/status`);
  await t.step('delete answers the account', 'DELETE', `${url}/a`, { pick: lean });
  await t.step('list', 'GET', url, { pick: (b) => names(b).filter((n) => n !== 'default') });
}

export async function issuer(t) {
  const port = (b) => ({
    ...b,
    jwks_uri: b.jwks_uri?.replace(/^https:\/\/[^/]+/, 'https://<server>'),
  });
  await t.step('openid-configuration', 'GET', '/.well-known/openid-configuration', { pick: port });
  await t.step('keys as JSON', 'GET', '/openid/v1/jwks');
  const anything = { accept: '*/*' };
  await t.step('keys', 'GET', '/openid/v1/jwks', {
    headers: anything,
    pick: (b) =>
      (typeof b === 'string' ? JSON.parse(b) : b).keys.map((k) =>
        Object.fromEntries(
          Object.entries(k).map(([n, v]) => [n, ['use', 'kty', 'alg', 'e'].includes(n) ? v : typeof v]),
        ),
      ),
  });
  for (const path of ['/.well-known/openid-configuration', '/openid/v1/jwks']) {
    const res = await t.client.request('GET', path, { headers: anything });
    t.note(`headers of ${path}`, { type: res.headers['content-type'], cache: res.headers['cache-control'] });
  }
  await t.step('below the keys', 'GET', '/openid/v1/jwks/x');
  await t.step('POST', 'POST', '/openid/v1/jwks', { body: {} });
  await t.step('other well-known documents', 'GET', '/.well-known/oauth-authorization-server');
}
