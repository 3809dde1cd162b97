// Who one is: impersonation, anonymous requests, and tokens that are none.
import { AUTHN, AUTHZ, as, grant, rule, scene } from './helpers/security.mjs';

const WHO = `${AUTHN}/selfsubjectreviews`;
const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const info = (b) => b.status.userInfo;

export async function impersonatedBy(t) {
  const who = (label, headers, pick = info) => t.step(label, 'POST', WHO, { headers, body: self, pick });
  const me = (await t.setup('POST', WHO, { body: self })).status.userInfo.username;
  const itself = (b) => ({ oneself: b.status.userInfo.username === me });
  await who('a user', as('jane'));
  await who('a user with a group', as('jane', { groups: 'devs' }));
  await who('a user with groups', as('jane', { groups: ['devs', 'ops'] }));
  await who(
    'a user with system:authenticated given',
    as('jane', { groups: ['system:authenticated', 'devs'] }),
  );
  await who('a user with system:unauthenticated given', as('jane', { groups: ['system:unauthenticated'] }));
  await who('a user with a uid', as('jane', { uid: 'some-uid' }));
  await who('a user with extra', as('jane', { extra: { scopes: ['view', 'edit'], reason: 'test' } }));
  await who('extra keys are lowered and unescaped', as('jane', { extra: { 'Acme.Com%2FProject': 'P' } }));
  await who('extra keys that are badly escaped', as('jane', { extra: { 'a%zz': 'P' } }));
  await who('a service account', as('system:serviceaccount:default:robot'));
  await who('a service account with groups', as('system:serviceaccount:default:robot', { groups: ['only'] }));
  await who('a service account that is none', as('system:serviceaccount:default'));
  await who('a service account with a bad name', as('system:serviceaccount:default:Not_A_Name'));
  await who('the anonymous user', as('system:anonymous'));
  await who('the anonymous user with groups', as('system:anonymous', { groups: ['devs'] }));
  await who('system:masters', as('jane', { groups: ['system:masters'] }));
  await who('a user with a space', as('jane doe'));
  await who('a group only', { 'impersonate-group': 'devs' });
  await who('a uid only', { 'impersonate-uid': 'x' });
  await who('extra only', { 'impersonate-extra-a': 'x' });
  await who('an empty user', { 'impersonate-user': '' }, itself);
  await who('an empty user and a group', { 'impersonate-user': '', 'impersonate-group': 'devs' });
  await who('two users', { 'impersonate-user': ['jane', 'joe'] });
  await who('another impersonate header is ignored', { 'impersonate-thing': 'x' }, itself);
  await who('an empty group', { 'impersonate-user': 'jane', 'impersonate-group': '' });
}

export async function impersonators(t) {
  const s = await scene(t, 'sec-imp');
  // A user cannot impersonate through an impersonated one, so these are service accounts with tokens of their
  // own.
  const accounts = `/api/v1/namespaces/${s.ns}/serviceaccounts`;
  const tokens = {};
  const maker = async (name, rules, ns) => {
    await t.client.request('DELETE', `${accounts}/${name}`);
    t.onEnd(() => t.client.request('DELETE', `${accounts}/${name}`));
    await t.setup('POST', accounts, { body: { metadata: { name } } });
    if (rules)
      await grant(t, ns, `conf-sec-imp-${name}`, rules, { kind: 'ServiceAccount', namespace: s.ns, name });
    tokens[name] = (await t.setup('POST', `${accounts}/${name}/token`, { body: { spec: {} } })).status.token;
  };
  await maker('none');
  await maker('users', [rule('', 'users', 'impersonate')]);
  await maker('jane', [rule('', 'users', 'impersonate', { resourceNames: ['jane'] })]);
  await maker('devs', [
    rule('', 'users', 'impersonate'),
    rule('', 'groups', 'impersonate', { resourceNames: ['devs'] }),
  ]);
  await maker('uids', [
    rule('', 'users', 'impersonate'),
    rule('authentication.k8s.io', 'uids', 'impersonate'),
  ]);
  await maker('extras', [
    rule('', 'users', 'impersonate'),
    rule('authentication.k8s.io', 'userextras/scopes', 'impersonate', { resourceNames: ['view'] }),
  ]);
  await maker('robots', [rule('', 'serviceaccounts', 'impersonate')], s.ns);
  await maker('everything', [rule('*', '*', 'impersonate')]);
  const ask = (label, name, headers) =>
    t.step(label, 'POST', WHO, {
      headers: { authorization: `Bearer ${tokens[name]}`, ...headers },
      body: self,
      pick: info,
    });
  await ask('who may not: a user', 'none', as('jane'));
  await ask('who may not: a service account', 'none', as(`system:serviceaccount:${s.ns}:x`));
  await ask('who may not: itself', 'none', as(`system:serviceaccount:${s.ns}:none`));
  await ask('any user: a user', 'users', as('jane'));
  await ask('any user: and a group', 'users', as('jane', { groups: 'devs' }));
  await ask('any user: and a uid', 'users', as('jane', { uid: 'u' }));
  await ask('any user: and extra', 'users', as('jane', { extra: { scopes: 'view' } }));
  await ask('any user: a service account', 'users', as(`system:serviceaccount:${s.ns}:x`));
  await ask('any user: anonymous', 'users', as('system:anonymous'));
  await ask('any user: a group and no user', 'users', { 'impersonate-group': 'devs' });
  await ask('one user: that one', 'jane', as('jane'));
  await ask('one user: another', 'jane', as('joe'));
  await ask('one group: that one', 'devs', as('jane', { groups: 'devs' }));
  await ask('one group: another', 'devs', as('jane', { groups: ['devs', 'ops'] }));
  await ask('one group: system:masters', 'devs', as('jane', { groups: 'system:masters' }));
  await ask('uids', 'uids', as('jane', { uid: 'u' }));
  await ask('extra: the value', 'extras', as('jane', { extra: { scopes: 'view' } }));
  await ask('extra: another value', 'extras', as('jane', { extra: { scopes: 'edit' } }));
  await ask('extra: one of two values', 'extras', as('jane', { extra: { scopes: ['view', 'edit'] } }));
  await ask('extra: another key', 'extras', as('jane', { extra: { other: 'view' } }));
  await ask('service accounts of a namespace: one there', 'robots', as(`system:serviceaccount:${s.ns}:x`));
  await ask(
    'service accounts of a namespace: one elsewhere',
    'robots',
    as('system:serviceaccount:default:x'),
  );
  await ask(
    'service accounts of a namespace: with a group',
    'robots',
    as(`system:serviceaccount:${s.ns}:x`, { groups: `system:serviceaccounts:${s.ns}` }),
  );
  await ask('service accounts of a namespace: a user', 'robots', as('jane'));
  await ask(
    'everything',
    'everything',
    as('jane', { groups: ['devs', 'system:masters'], uid: 'u', extra: { a: 'b' } }),
  );
  await t.step('what the impersonated may not is refused in their name', 'GET', s.all, {
    headers: { authorization: `Bearer ${tokens.users}`, ...as('jane') },
  });
}

export async function anonymous(t) {
  const s = await scene(t, 'sec-anon');
  const headers = { authorization: null };
  const kind = (b) => b.kind ?? (typeof b === 'string' ? b.slice(0, 2) : 'object');
  for (const path of [
    '/healthz',
    '/livez',
    '/readyz',
    '/version',
    '/version/',
    '/healthz/ping',
    '/livez/ping',
    '/',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/apps',
    `/apis/${s.group}`,
    `/apis/${s.group}/v1`,
    '/openapi/v2',
    '/openapi/v3',
    '/metrics',
    '/openid/v1/jwks',
    '/.well-known/openid-configuration',
    '/nothing',
  ]) {
    await t.step(`GET ${path}`, 'GET', path, { headers, pick: kind });
  }
  await t.step('POST /version', 'POST', '/version', { headers, body: {} });
  await t.step('HEAD /healthz', 'HEAD', '/healthz', { headers });
  await t.step('list', 'GET', s.all, { headers });
  await t.step('get', 'GET', s.at('x'), { headers });
  await t.step('create', 'POST', s.all, { headers, body: s.widget('x') });
  await t.step('watch', 'GET', `${s.all}?watch=true`, { headers });
  await t.step('list everywhere', 'GET', s.everywhere, { headers });
  await t.step('config maps', 'GET', '/api/v1/namespaces/default/configmaps', { headers });
  await t.step('who am I', 'POST', WHO, { headers, body: self });
  await t.step('may I', 'POST', `${AUTHZ}/selfsubjectaccessreviews`, {
    headers,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
    },
  });
  await t.step('as somebody else', 'GET', s.all, { headers: { ...headers, ...as('jane') } });
  await grant(t, s.ns, 'open', [rule(s.group, 'widgets', 'list')], {
    kind: 'Group',
    name: 'system:unauthenticated',
  });
  await t.step('list when it is open to all', 'GET', s.all, { headers, pick: kind });
  await t.step('which does not include those who are known', 'GET', s.all, { headers: as('jane') });
}

export async function badTokens(t) {
  const s = await scene(t, 'sec-bad');
  const ask = (label, authorization, url = s.all) =>
    t.step(label, 'GET', url, { headers: { authorization } });
  await ask('a token that is unknown', 'Bearer wrong');
  await ask('a token in lower case scheme', 'bearer wrong');
  await ask('an empty token', 'Bearer ');
  await ask('the scheme alone', 'Bearer');
  await ask('another scheme', 'Basic dTpw');
  await ask('a token without scheme', 'wrong');
  await ask('three parts', 'Bearer wrong thing');
  await ask('something like a JWT', 'Bearer aaaa.bbbb.cccc');
  const b64 = (v) => Buffer.from(JSON.stringify(v)).toString('base64url');
  await ask(
    'a JWT of another issuer',
    `Bearer ${b64({ alg: 'RS256', typ: 'JWT' })}.${b64({ iss: 'https://example.com', sub: 'x', aud: ['x'], exp: 4102444800 })}.${b64('sig')}`,
  );
  await ask(
    'a JWT of this issuer with a wrong signature',
    `Bearer ${b64({ alg: 'RS256', typ: 'JWT' })}.${b64({ iss: 'https://kubernetes.default.svc', sub: 'system:serviceaccount:default:default', aud: ['https://kubernetes.default.svc'], exp: 4102444800 })}.c2ln`,
  );
  await ask(
    'a JWT that is not signed',
    `Bearer ${b64({ alg: 'none', typ: 'JWT' })}.${b64({ iss: 'https://kubernetes.default.svc', sub: 'x' })}.`,
  );
  for (const path of ['/healthz', '/version', '/api', '/apis', '/nothing'])
    await ask(`${path} with a bad token`, 'Bearer wrong', path);
  await t.step('a write', 'POST', s.all, { headers: { authorization: 'Bearer wrong' }, body: s.widget('x') });
  await t.step('a watch', 'GET', `${s.all}?watch=true`, { headers: { authorization: 'Bearer wrong' } });
  await t.step('a token in the query', 'GET', `${s.all}?access_token=x`, {
    headers: { authorization: null },
  });
  await t.step('as somebody else', 'GET', s.all, {
    headers: { authorization: 'Bearer wrong', ...as('jane') },
  });
  const res = await t.client.request('GET', s.all, { headers: { authorization: 'Bearer wrong' } });
  t.note('headers of a 401', {
    type: res.headers['content-type'],
    challenge: res.headers['www-authenticate'] ?? null,
    cache: res.headers['cache-control'] ?? null,
  });
  const forbidden = await t.client.request('GET', s.all, { headers: as('jane') });
  t.note('headers of a 403', {
    type: forbidden.headers['content-type'],
    cache: forbidden.headers['cache-control'] ?? null,
    sniff: forbidden.headers['x-content-type-options'] ?? null,
  });
}
