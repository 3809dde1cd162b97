// Nobody can hand out more than they have, unless they may escalate or bind.
import {
  APPLY,
  as,
  binding,
  bindings,
  clean,
  grant,
  JSON_PATCH,
  lean,
  MERGE,
  make,
  paths,
  role,
  roles,
  rule,
  settled,
  user,
} from './helpers/security.mjs';

const R = 'rbac.authorization.k8s.io';
const manage = (resources) => rule(R, resources, ['get', 'list', 'create', 'update', 'patch', 'delete']);

export async function rolesBeyondOneself(t) {
  const ns = await t.namespace('conf-sec-escalate');
  await clean(t, roles(ns));
  await grant(
    t,
    ns,
    'manager',
    [
      manage(['roles', 'rolebindings']),
      rule('', 'pods', ['get', 'list']),
      rule('', 'secrets', 'get', { resourceNames: ['s1', 's2'] }),
      rule('apps', '*', 'get'),
    ],
    user('conf-manager'),
  );
  const headers = as('conf-manager', { groups: ['ops'] });
  const make1 = (label, rules, rest = {}) =>
    t.step(label, 'POST', `${roles(ns)}?dryRun=All`, {
      headers,
      body: role(ns, 'r', rules, rest),
      pick: (b) => b.rules,
    });
  await make1('what one has', [rule('', 'pods', ['list', 'get'])]);
  await make1('no rules', []);
  await make1('another verb', [rule('', 'pods', ['get', 'delete'])]);
  await make1('another resource', [rule('', ['pods', 'configmaps'], ['get'])]);
  await make1('another group', [rule(['', 'batch'], ['pods'], ['get'])]);
  await make1('a subresource', [rule('', 'pods/log', 'get')]);
  await make1('a star for the verbs', [rule('', 'pods', '*')]);
  await make1('a star for everything', [rule('*', '*', '*')]);
  await make1('one name of those one has', [rule('', 'secrets', 'get', { resourceNames: ['s1'] })]);
  await make1('another name', [rule('', 'secrets', 'get', { resourceNames: ['s1', 's3'] })]);
  await make1('without the names', [rule('', 'secrets', 'get')]);
  await make1('a name of what one has in general', [rule('', 'pods', 'get', { resourceNames: ['p'] })]);
  await make1('a resource under a star that one has', [
    rule('apps', ['deployments', 'deployments/scale'], 'get'),
  ]);
  await make1('several faults', [
    rule('', 'pods', ['watch', 'delete']),
    rule('batch', 'jobs', ['get', 'create']),
  ]);
  await make1('the same rule twice', [rule('batch', 'jobs', 'get'), rule('batch', 'jobs', 'get')]);
  await make1('an invalid rule is found first or last', [{ apiGroups: [''], resources: ['secrets'] }]);
  await t.setup('POST', roles(ns), { body: role(ns, 'strong', [rule('', 'secrets', '*')]) });
  const at = `${roles(ns)}/strong`;
  await t.step('a change of labels of a stronger role', 'PATCH', at, {
    headers,
    body: { metadata: { labels: { a: 'b' } } },
    type: MERGE,
    pick: lean,
  });
  await t.step('an update without change', 'PUT', at, {
    headers,
    body: role(ns, 'strong', [rule('', 'secrets', '*')]),
    pick: lean,
  });
  await t.step('more rules for a stronger role', 'PATCH', at, {
    headers,
    body: [{ op: 'add', path: '/rules/-', value: rule('', 'pods', 'get') }],
    type: JSON_PATCH,
  });
  await t.step('fewer rules', 'PATCH', at, { headers, body: { rules: [] }, type: MERGE, pick: lean });
  await t.step('and back', 'PATCH', at, {
    headers,
    body: { rules: [rule('', 'secrets', '*')] },
    type: MERGE,
  });
  await t.step('apply of a stronger role', 'PATCH', `${roles(ns)}/applied?fieldManager=me`, {
    headers,
    body: role(ns, 'applied', [rule('', 'nodes', 'get')]),
    type: APPLY,
  });
  await t.step('delete of any role', 'DELETE', at, { headers });
  await t.step('the admin of the server is not held to it', 'POST', `${roles(ns)}?dryRun=All`, {
    headers: as('conf-manager', { groups: ['system:masters'] }),
    body: role(ns, 'r', [rule('*', '*', '*')]),
    pick: (b) => b.rules,
  });
}

export async function escalateAndBind(t) {
  const ns = await t.namespace('conf-sec-escalate2');
  await clean(t, roles(ns), bindings(ns));
  await grant(t, ns, 'escalator', [manage('roles'), rule(R, 'roles', 'escalate')], user('conf-escalator'));
  await grant(
    t,
    ns,
    'escalator-one',
    [manage('roles'), rule(R, 'roles', 'escalate', { resourceNames: ['allowed'] })],
    user('conf-escalator-one'),
  );
  await grant(
    t,
    ns,
    'binder',
    [
      manage('rolebindings'),
      rule('', 'pods', 'get'),
      rule(R, 'roles', 'bind', { resourceNames: ['strong'] }),
      rule(R, 'clusterroles', 'bind', { resourceNames: ['view'] }),
    ],
    user('conf-binder'),
  );
  await grant(
    t,
    ns,
    'binder-any',
    [manage('rolebindings'), rule(R, ['roles', 'clusterroles'], 'bind')],
    user('conf-binder-any'),
  );
  await make(
    t,
    roles(ns),
    role(ns, 'strong', [rule('', 'secrets', '*')]),
    role(ns, 'stronger', [rule('', 'secrets', '*')]),
    role(ns, 'weak', [rule('', 'pods', 'get')]),
  );
  const strong = [rule('', 'secrets', '*')];
  const create = (label, who, name) =>
    t.step(label, 'POST', `${roles(ns)}?dryRun=All`, {
      headers: as(who),
      body: role(ns, name, strong),
      pick: (b) => b.rules,
    });
  await create('with escalate', 'conf-escalator', 'any');
  await create('with escalate for one name, that name', 'conf-escalator-one', 'allowed');
  await create('with escalate for one name, another', 'conf-escalator-one', 'other');
  await t.step('update with escalate for that name', 'PATCH', `${roles(ns)}/stronger?dryRun=All`, {
    headers: as('conf-escalator-one'),
    body: { rules: [rule('', '*', '*')] },
    type: MERGE,
  });
  const bind = (label, who, ref, subjects = user('x')) =>
    t.step(label, 'POST', `${bindings(ns)}?dryRun=All`, {
      headers: as(who),
      body: binding(ns, 'b', ref, subjects),
      pick: (b) => b.roleRef,
    });
  await settled(
    t,
    { user: 'conf-binder' },
    { resourceAttributes: { namespace: ns, group: R, resource: 'roles', verb: 'bind', name: 'strong' } },
  );
  await bind('bind a role one has', 'conf-binder', 'Role/weak');
  await bind('bind a role one may bind', 'conf-binder', 'Role/strong');
  await bind('bind another role', 'conf-binder', 'Role/stronger');
  await bind('bind a cluster role one may bind', 'conf-binder', 'ClusterRole/view');
  await bind('bind another cluster role', 'conf-binder', 'ClusterRole/system:discovery');
  await bind('bind cluster-admin', 'conf-binder', 'ClusterRole/cluster-admin');
  await bind('bind a role that does not exist', 'conf-binder', 'Role/none');
  await bind('bind a cluster role that does not exist', 'conf-binder', 'ClusterRole/conf-none');
  await bind('bind any, one that does not exist', 'conf-binder-any', 'Role/none');
  await bind('bind any, cluster-admin', 'conf-binder-any', 'ClusterRole/cluster-admin');
  await bind('bind to nobody', 'conf-binder', 'Role/stronger', []);
  await make(t, bindings(ns), binding(ns, 'present', 'Role/stronger', user('x')));
  await t.step('more subjects of a binding', 'PATCH', `${bindings(ns)}/present`, {
    headers: as('conf-binder'),
    body: { subjects: [user('x'), user('conf-binder')] },
    type: MERGE,
  });
  await t.step('a label of a binding', 'PATCH', `${bindings(ns)}/present`, {
    headers: as('conf-binder'),
    body: { metadata: { labels: { a: 'b' } } },
    type: MERGE,
    pick: lean,
  });
  await t.step('fewer subjects', 'PATCH', `${bindings(ns)}/present`, {
    headers: as('conf-binder'),
    body: { subjects: [] },
    type: MERGE,
  });
  await t.step('delete of a binding', 'DELETE', `${bindings(ns)}/present`, { headers: as('conf-binder') });
}

export async function clusterWide(t) {
  const name = 'conf-sec-esc';
  await clean(t, `${roles()}/${name}-new`, `${bindings()}/${name}-new`);
  await grant(
    t,
    undefined,
    `${name}-mgr`,
    [
      manage(['clusterroles', 'clusterrolebindings']),
      rule('', 'pods', 'get'),
      paths(['/metrics', '/logs/*']),
    ],
    user('conf-cluster-manager'),
  );
  const headers = as('conf-cluster-manager');
  const create = (label, rules, rest = {}) =>
    t.step(label, 'POST', `${roles()}?dryRun=All`, {
      headers,
      body: role(undefined, `${name}-new`, rules, rest),
      pick: ({ rules: r, aggregationRule }) => ({ rules: r, aggregationRule }),
    });
  await create('what one has', [rule('', 'pods', 'get'), paths('/metrics'), paths('/logs/kubelet')]);
  await create('another path', [paths('/configz')]);
  await create('a shorter prefix', [paths('/*')]);
  await create('another verb of a path', [paths('/metrics', ['get', 'post'])]);
  await create('more than one has', [rule('', ['pods', 'secrets'], 'get')]);
  await create('an aggregationRule needs everything', [], {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  });
  const bind = (label, ref) =>
    t.step(label, 'POST', `${bindings()}?dryRun=All`, {
      headers,
      body: binding(undefined, `${name}-new`, ref, user('x')),
      pick: (b) => b.roleRef,
    });
  await bind('bind what one has', `ClusterRole/${name}-mgr`);
  await bind('bind system:discovery, which everybody has', 'ClusterRole/system:discovery');
  await bind('bind view', 'ClusterRole/system:monitoring');
  await bind('bind cluster-admin', 'ClusterRole/cluster-admin');
  await bind('bind what does not exist', 'ClusterRole/conf-none');
  await t.step('not in a namespace either', 'POST', `${roles('default')}?dryRun=All`, {
    headers,
    body: role('default', 'x', []),
  });
  await grant(t, undefined, `${name}-all`, [rule('*', '*', '*')], user('conf-cluster-all'));
  const mighty = (label, rules, rest = {}) =>
    t.step(label, 'POST', `${roles()}?dryRun=All`, {
      headers: as('conf-cluster-all'),
      body: role(undefined, `${name}-new`, rules, rest),
      pick: (b) => b.rules,
    });
  await mighty('who has all resources: any rule', [rule('batch', 'jobs', 'fly')]);
  await mighty('who has all resources: a path', [paths('/x')]);
  await mighty('who has all resources: an aggregationRule', [], {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  });
}
