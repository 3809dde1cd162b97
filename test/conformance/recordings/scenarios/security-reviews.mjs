// Questions to the server about access and identity.
import { AUTHN, AUTHZ, account, as, grant, group, paths, rule, timeless, user } from './helpers/security.mjs';

const review = (kind, spec, rest = {}) => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec, ...rest });
const SELF = `${AUTHZ}/selfsubjectaccessreviews`;
const SAR = `${AUTHZ}/subjectaccessreviews`;
const RULES = `${AUTHZ}/selfsubjectrulesreviews`;
const noFields = ({ metadata, ...b }) => b;

async function cast(t, ns) {
  await grant(
    t,
    ns,
    'reader',
    [
      rule('conf.example.com', 'widgets', ['get', 'list', 'watch']),
      rule('conf.example.com', 'widgets/scale', 'update', { resourceNames: ['a'] }),
    ],
    user('conf-r-jane'),
  );
  await grant(
    t,
    undefined,
    `${ns}-nodes`,
    [rule('', 'nodes', 'list'), paths('/conf/*')],
    group('conf-r-ops'),
  );
  await grant(t, undefined, `${ns}-shared`, [rule('', 'secrets', 'get')], account(ns, 'robot'), { of: ns });
}

export async function selfAccess(t) {
  const ns = await t.namespace('conf-sec-ssar');
  await cast(t, ns);
  const jane = as('conf-r-jane');
  const ops = as('conf-r-joe', { groups: 'conf-r-ops' });
  const ask = (label, headers, spec) =>
    t.step(label, 'POST', SELF, { headers, body: review('SelfSubjectAccessReview', spec), pick: noFields });
  const res = (verb, rest = {}) => ({
    resourceAttributes: { namespace: ns, group: 'conf.example.com', resource: 'widgets', verb, ...rest },
  });
  await t.step('a whole answer', 'POST', SELF, {
    headers: jane,
    body: review('SelfSubjectAccessReview', res('get')),
  });
  await ask('allowed by a RoleBinding', jane, res('list'));
  await ask('refused', jane, res('delete'));
  await ask('in another namespace', jane, res('get', { namespace: 'default' }));
  await ask('in all namespaces', jane, res('get', { namespace: '' }));
  await ask('a version does not matter', jane, res('get', { version: 'v9' }));
  await ask('another group', jane, res('get', { group: 'other.example.com' }));
  await ask('a name', jane, res('get', { name: 'x' }));
  await ask('a subresource by name', jane, res('update', { subresource: 'scale', name: 'a' }));
  await ask('a subresource by another name', jane, res('update', { subresource: 'scale', name: 'b' }));
  await ask('a subresource without name', jane, res('update', { subresource: 'scale' }));
  await ask('a star for the verb', jane, res('*'));
  await ask('a star for the resource', jane, res('get', { resource: '*' }));
  await ask('no verb', jane, res(undefined));
  await ask('no resource', jane, res('get', { resource: undefined }));
  await ask('a resource that does not exist', jane, res('get', { resource: 'nothing' }));
  await ask('allowed by a ClusterRoleBinding', ops, {
    resourceAttributes: { resource: 'nodes', verb: 'list' },
  });
  await ask('cluster scope in a namespace', ops, {
    resourceAttributes: { resource: 'nodes', verb: 'list', namespace: 'x' },
  });
  await ask('a path', ops, { nonResourceAttributes: { path: '/conf/x/y', verb: 'get' } });
  await ask('a path refused', ops, { nonResourceAttributes: { path: '/confx', verb: 'get' } });
  await ask('a path with another verb', ops, { nonResourceAttributes: { path: '/conf/x', verb: 'put' } });
  await ask('a path that is empty', ops, { nonResourceAttributes: {} });
  await ask('discovery', ops, { nonResourceAttributes: { path: '/apis', verb: 'get' } });
  await ask(
    'a service account through a RoleBinding of a ClusterRole',
    as(`system:serviceaccount:${ns}:robot`),
    { resourceAttributes: { namespace: ns, resource: 'secrets', verb: 'get' } },
  );
  await ask('system:masters', as('x', { groups: 'system:masters' }), res('fly'));
  await ask('neither attributes', jane, {});
  await ask('both attributes', jane, { ...res('get'), nonResourceAttributes: { path: '/', verb: 'get' } });
  await t.step('no spec', 'POST', SELF, {
    headers: jane,
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
  });
  await timeless(t, 'with a name', 'POST', SELF, {
    headers: jane,
    body: review('SelfSubjectAccessReview', res('get'), { metadata: { name: 'x' } }),
  });
  await t.step('with a namespace', 'POST', SELF, {
    headers: jane,
    body: review('SelfSubjectAccessReview', res('get'), { metadata: { namespace: 'default' } }),
  });
  await t.step('with a status', 'POST', SELF, {
    headers: jane,
    body: review('SelfSubjectAccessReview', res('delete'), { status: { allowed: true } }),
    pick: noFields,
  });
  await t.step('an unknown field', 'POST', `${SELF}?fieldValidation=Strict`, {
    headers: jane,
    body: review('SelfSubjectAccessReview', { ...res('get'), user: 'x' }),
  });
  await t.step('the wrong kind', 'POST', SELF, {
    headers: jane,
    body: review('SubjectAccessReview', res('get')),
  });
  await t.step('an empty body', 'POST', SELF, { headers: jane });
  await t.step('a dry run', 'POST', `${SELF}?dryRun=All`, {
    headers: jane,
    body: review('SelfSubjectAccessReview', res('get')),
    pick: noFields,
  });
  await t.step('get', 'GET', SELF);
  await t.step('get of one', 'GET', `${SELF}/x`);
}

export async function subjectAccess(t) {
  const ns = await t.namespace('conf-sec-sar');
  await cast(t, ns);
  const ask = (label, spec) =>
    t.step(label, 'POST', SAR, { body: review('SubjectAccessReview', spec), pick: noFields });
  const widgets = {
    resourceAttributes: { namespace: ns, group: 'conf.example.com', resource: 'widgets', verb: 'get' },
  };
  const nodes = { resourceAttributes: { resource: 'nodes', verb: 'list' } };
  await ask('a user', { user: 'conf-r-jane', ...widgets });
  await ask('another user', { user: 'conf-r-joe', ...widgets });
  await ask('groups only', { groups: ['conf-r-ops'], ...nodes });
  await ask('a user and groups', { user: 'x', groups: ['a', 'conf-r-ops'], ...nodes });
  await ask('groups are not added', { user: 'x', nonResourceAttributes: { path: '/apis', verb: 'get' } });
  await ask('groups that are given', {
    user: 'x',
    groups: ['system:authenticated'],
    nonResourceAttributes: { path: '/apis', verb: 'get' },
  });
  await ask('a service account by its user name', {
    user: `system:serviceaccount:${ns}:robot`,
    resourceAttributes: { namespace: ns, resource: 'secrets', verb: 'get' },
  });
  await ask('the anonymous user', {
    user: 'system:anonymous',
    groups: ['system:unauthenticated'],
    nonResourceAttributes: { path: '/version', verb: 'get' },
  });
  await ask('uid and extra are shown again', {
    user: 'conf-r-jane',
    uid: 'u',
    extra: { Scopes: ['a', 'b'] },
    ...widgets,
  });
  await ask('cluster-admin by its group', {
    groups: ['system:masters'],
    resourceAttributes: { verb: '*', resource: '*', group: '*' },
  });
  await ask('a bootstrap role', {
    user: 'system:kube-scheduler',
    resourceAttributes: { resource: 'pods', subresource: 'binding', verb: 'create', namespace: 'default' },
  });
  await ask('neither user nor groups', widgets);
  await ask('an empty user and no groups', { user: '', groups: [], ...widgets });
  await ask('neither attributes', { user: 'x' });
  await ask('both attributes', { user: 'x', ...widgets, nonResourceAttributes: { path: '/', verb: 'get' } });
  await ask('all wrong', {});
  await timeless(t, 'with a name', 'POST', SAR, {
    body: review('SubjectAccessReview', { user: 'x', ...widgets }, { metadata: { name: 'x' } }),
  });
  await timeless(t, 'with labels', 'POST', SAR, {
    body: review('SubjectAccessReview', { user: 'x', ...widgets }, { metadata: { labels: { a: 'b' } } }),
  });
  await t.step('v1beta1 is gone', 'POST', '/apis/authorization.k8s.io/v1beta1/subjectaccessreviews', {
    body: {},
  });
  await t.step('list', 'GET', SAR);
  await t.step('delete', 'DELETE', `${SAR}/x`);
  const local = `${AUTHZ}/namespaces/${ns}/localsubjectaccessreviews`;
  const here = (label, spec, rest = {}) =>
    t.step(label, 'POST', local, { body: review('LocalSubjectAccessReview', spec, rest), pick: noFields });
  await here('local: a user', { user: 'conf-r-jane', ...widgets });
  await here(
    'local: with its namespace',
    { user: 'conf-r-jane', ...widgets },
    { metadata: { namespace: ns } },
  );
  await here(
    'local: with another namespace',
    { user: 'conf-r-jane', ...widgets },
    { metadata: { namespace: 'default' } },
  );
  await here('local: of another namespace', {
    user: 'conf-r-jane',
    resourceAttributes: { ...widgets.resourceAttributes, namespace: 'default' },
  });
  await here('local: of no namespace', {
    user: 'conf-r-jane',
    resourceAttributes: { ...widgets.resourceAttributes, namespace: undefined },
  });
  await here('local: a path', { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } });
  await here('local: neither user nor groups', widgets);
  await timeless(t, 'local: with a name', 'POST', local, {
    body: review(
      'LocalSubjectAccessReview',
      { user: 'x', ...widgets },
      { metadata: { name: 'x', namespace: ns } },
    ),
  });
  await t.step(
    'local: in a namespace that does not exist',
    'POST',
    `${AUTHZ}/namespaces/conf-none/localsubjectaccessreviews`,
    {
      body: review('LocalSubjectAccessReview', {
        user: 'x',
        resourceAttributes: { ...widgets.resourceAttributes, namespace: 'conf-none' },
      }),
      pick: noFields,
    },
  );
  await t.step('local: without a namespace', 'POST', `${AUTHZ}/localsubjectaccessreviews`, { body: {} });
}

export async function selectors(t) {
  const ns = await t.namespace('conf-sec-selectors');
  const ask = (label, resourceAttributes) =>
    t.step(label, 'POST', SAR, {
      body: review('SubjectAccessReview', {
        groups: ['system:masters'],
        resourceAttributes: { namespace: ns, resource: 'pods', verb: 'list', ...resourceAttributes },
      }),
      pick: noFields,
    });
  const field = (key, operator, values) => ({ fieldSelector: { requirements: [{ key, operator, values }] } });
  const label = (key, operator, values) => ({ labelSelector: { requirements: [{ key, operator, values }] } });
  await ask('a raw field selector', { fieldSelector: { rawSelector: 'spec.nodeName=n1' } });
  await ask('a raw field selector that is bad', { fieldSelector: { rawSelector: 'spec.nodeName' } });
  await ask('a field requirement', field('spec.nodeName', 'In', ['n1']));
  await ask('a field requirement of two values', field('spec.nodeName', 'In', ['n1', 'n2']));
  await ask('NotIn', field('spec.nodeName', 'NotIn', ['n1']));
  await ask('Exists with values', field('spec.nodeName', 'Exists', ['n1']));
  await ask('In without values', field('spec.nodeName', 'In', []));
  await ask('an unknown operator of a field', field('spec.nodeName', 'Like', ['n1']));
  await ask('no key', field('', 'In', ['n1']));
  await ask('raw and requirements', {
    fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
  });
  await ask('an empty field selector', { fieldSelector: {} });
  await ask('empty requirements', { fieldSelector: { requirements: [] } });
  await ask('a raw label selector', { labelSelector: { rawSelector: 'a in (b,c)' } });
  await ask('a raw label selector that is bad', { labelSelector: { rawSelector: 'a in b' } });
  await ask('a label requirement', label('a', 'In', ['b']));
  await ask('a label that must not exist', label('a', 'DoesNotExist'));
  await ask('an unknown operator of a label', label('a', 'Like', ['b']));
  await ask('a bad label key', label('not a key', 'In', ['b']));
  await ask('an empty label selector', { labelSelector: {} });
  await ask('both selectors', { ...field('a', 'In', ['b']), ...label('a', 'In', ['b']) });
  await ask('with a verb that selects nothing', { verb: 'create', ...field('a', 'In', ['b']) });
  await t.step('of oneself', 'POST', SELF, {
    headers: as('conf-nobody'),
    body: review('SelfSubjectAccessReview', {
      resourceAttributes: { resource: 'pods', verb: 'list', ...field('spec.nodeName', 'In', ['n1']) },
    }),
    pick: noFields,
  });
}

export async function ownRules(t) {
  const ns = await t.namespace('conf-sec-rules');
  await cast(t, ns);
  const sort = (b) => ({
    ...noFields(b),
    status: {
      ...b.status,
      resourceRules: [...b.status.resourceRules].sort((x, y) =>
        JSON.stringify(x) < JSON.stringify(y) ? -1 : 1,
      ),
      nonResourceRules: [...b.status.nonResourceRules].sort((x, y) =>
        JSON.stringify(x) < JSON.stringify(y) ? -1 : 1,
      ),
    },
  });
  const ask = (label, headers, spec, rest = {}) =>
    t.step(label, 'POST', RULES, { headers, body: review('SelfSubjectRulesReview', spec, rest), pick: sort });
  await ask('of a user', as('conf-r-jane'), { namespace: ns });
  await ask('of a user in another namespace', as('conf-r-jane'), { namespace: 'default' });
  await ask('of a namespace that does not exist', as('conf-r-jane'), { namespace: 'conf-none' });
  await ask('of a group', as('conf-r-joe', { groups: 'conf-r-ops' }), { namespace: ns });
  await ask('of a service account', as(`system:serviceaccount:${ns}:robot`), { namespace: ns });
  await ask('of system:masters', as('x', { groups: 'system:masters' }), { namespace: ns });
  await ask('without a namespace', as('conf-r-jane'), {});
  await ask('with a name', as('conf-r-jane'), { namespace: ns }, { metadata: { name: 'x' } });
  await t.step('without a spec', 'POST', RULES, {
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' },
  });
  await t.step('list', 'GET', RULES);
}

export async function whoAmI(t) {
  const url = `${AUTHN}/selfsubjectreviews`;
  const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const jane = as('jane', { groups: ['devs'], uid: 'u1', extra: { a: ['b', 'c'] } });
  await t.step('a whole answer', 'POST', url, { headers: jane, body: self });
  await t.step('with an empty object', 'POST', url, { headers: jane, body: {}, pick: noFields });
  await t.step('with a status', 'POST', url, {
    headers: jane,
    body: { ...self, status: { userInfo: { username: 'root' } } },
    pick: noFields,
  });
  await t.step('with a name', 'POST', url, { headers: jane, body: { ...self, metadata: { name: 'x' } } });
  await t.step('with labels', 'POST', url, {
    headers: jane,
    body: { ...self, metadata: { labels: { a: 'b' } } },
  });
  await t.step('without a body', 'POST', url, { headers: jane });
  await t.step('the wrong kind', 'POST', url, { headers: jane, body: { ...self, kind: 'TokenReview' } });
  await t.step('a dry run', 'POST', `${url}?dryRun=All`, { headers: jane, body: self, pick: noFields });
  await t.step('as YAML', 'POST', url, {
    headers: jane,
    type: 'application/yaml',
    body: 'apiVersion: authentication.k8s.io/v1\nkind: SelfSubjectReview\n',
    pick: noFields,
  });
  await t.step('as a table', 'POST', url, {
    headers: { ...jane, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    body: self,
    pick: (b) => ({ columns: b.columnDefinitions?.map((c) => c.name), cells: b.rows?.map((r) => r.cells) }),
  });
  await t.step('get', 'GET', url);
  await t.step('v1beta1', 'POST', '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews', { body: {} });
  await t.step('discovery', 'GET', AUTHN);
  await t.step('discovery of authorization', 'GET', AUTHZ);
}
