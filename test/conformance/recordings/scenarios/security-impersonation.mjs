// Constrained impersonation: who one may be, and for which verbs.
import { AUTHN, account, as, grant, make, rule, scene, user } from './helpers/security.mjs';

const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

export async function constrained(t) {
  const s = await scene(t, 'sec-constr');
  const accounts = `/api/v1/namespaces/${s.ns}/serviceaccounts`;
  const tokens = {};
  for (const name of ['both', 'who', 'what', 'groups']) {
    await make(t, accounts, { metadata: { name } });
    tokens[name] = (await t.setup('POST', `${accounts}/${name}/token`, { body: { spec: {} } })).status.token;
  }
  const A = 'authentication.k8s.io';
  await grant(
    t,
    undefined,
    'conf-sec-constr-who',
    [rule(A, 'users', 'impersonate:user-info', { resourceNames: ['conf-c-jane'] })],
    [account(s.ns, 'both'), account(s.ns, 'who'), account(s.ns, 'groups')],
  );
  await grant(
    t,
    undefined,
    'conf-sec-constr-groups',
    [rule(A, 'groups', 'impersonate:user-info', { resourceNames: ['devs'] })],
    account(s.ns, 'groups'),
  );
  await grant(
    t,
    s.ns,
    'what',
    [rule(s.group, 'widgets', ['impersonate-on:user-info:list', 'impersonate-on:user-info:get'])],
    [account(s.ns, 'both'), account(s.ns, 'what'), account(s.ns, 'groups')],
  );
  await grant(t, s.ns, 'jane', [rule(s.group, 'widgets', ['list', 'create'])], user('conf-c-jane'));
  const ask = (label, name, headers, method = 'GET', url = s.all, body = undefined) =>
    t.step(label, method, url, {
      headers: { authorization: `Bearer ${tokens[name]}`, ...headers },
      body,
      pick: (b) => b.kind,
    });
  const jane = as('conf-c-jane');
  await ask('who and what: a list', 'both', jane);
  await ask('what the other may not', 'both', jane, 'GET', s.at('x'));
  await ask(
    'what oneself may not do as the other',
    'both',
    jane,
    'POST',
    `${s.all}?dryRun=All`,
    s.widget('x'),
  );
  await ask('another user', 'both', as('conf-c-joe'));
  await ask('with a group', 'both', as('conf-c-jane', { groups: 'devs' }));
  await ask('in all namespaces', 'both', jane, 'GET', s.everywhere);
  await ask('a path', 'both', jane, 'GET', '/metrics');
  await ask('only who', 'who', jane);
  await ask('only what', 'what', jane);
  await ask('a group one may', 'groups', as('conf-c-jane', { groups: 'devs' }));
  await ask('a group one may not', 'groups', as('conf-c-jane', { groups: ['devs', 'ops'] }));
  await ask('a uid', 'groups', as('conf-c-jane', { uid: 'u' }));
  await ask('extra', 'groups', as('conf-c-jane', { extra: { k: 'v' } }));
  await ask('who am I', 'both', jane, 'POST', `${AUTHN}/selfsubjectreviews`, self);
}
