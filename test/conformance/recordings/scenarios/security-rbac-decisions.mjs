// What RBAC allows and how a refusal reads, seen by users whom the admin impersonates.
import { crd, custom, resource } from '../lib/fixtures.mjs';
import {
  APPLY,
  AUTHZ,
  account,
  as,
  binding,
  bindings,
  clean,
  grant,
  group,
  JSON_PATCH,
  lean,
  MERGE,
  make,
  names,
  paths,
  role,
  roles,
  rule,
  scene,
  settled,
  user,
} from './helpers/security.mjs';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** One request for each verb, of which nothing is left behind. */
const requests = (s, headers) => ({
  get: ['GET', s.at('w'), { headers }],
  list: ['GET', s.all, { headers }],
  watch: [
    'GET',
    `${s.all}?watch=true&timeoutSeconds=1&resourceVersion=0&labelSelector=no%3Dsuch`,
    { headers },
  ],
  create: ['POST', `${s.all}?dryRun=All`, { headers, body: s.widget('new') }],
  update: ['PUT', `${s.at('w')}?dryRun=All`, { headers, body: s.widget('w') }],
  patch: [
    'PATCH',
    `${s.at('w')}?dryRun=All`,
    { headers: { ...headers, 'content-type': MERGE }, body: { spec: { size: 'l' } } },
  ],
  delete: ['DELETE', `${s.at('w')}?dryRun=All`, { headers }],
  deletecollection: ['DELETE', `${s.all}?dryRun=All`, { headers }],
});
const statuses = async (t, table) => {
  const out = {};
  for (const [what, [method, url, rest]] of Object.entries(table)) {
    if (what === 'watch') {
      const w = await t.client.watch(url, { timeoutMs: 1, headers: rest.headers });
      await w.finish();
      out[what] = w.opened.status;
    } else out[what] = (await t.client.request(method, url, rest)).status;
  }
  return out;
};

export async function oneActionEach(t) {
  const s = await scene(t, 'sec-verbs');
  await make(t, s.all, s.widget('w'));
  for (const verb of VERBS) {
    await grant(t, s.ns, `only-${verb}`, [rule(s.group, 'widgets', verb)], user(`conf-${verb}`));
    const put = s.widget('w');
    put.metadata.resourceVersion = (await t.client.request('GET', s.at('w'))).body.metadata.resourceVersion;
    const table = requests(s, as(`conf-${verb}`));
    table.update[2].body = put;
    t.note(`who has only ${verb}`, await statuses(t, table));
  }
  await grant(t, s.ns, 'readers', [rule(s.group, 'widgets', ['get', 'list', 'watch'])], user('conf-reader'));
  t.note('a reader', await statuses(t, requests(s, as('conf-reader'))));
  await grant(t, s.ns, 'upper', [rule(s.group, 'widgets', ['GET', 'list'])], user('conf-upper')).catch(
    () => {},
  );
  await settled(
    t,
    { user: 'conf-upper' },
    { resourceAttributes: { namespace: s.ns, group: s.group, resource: 'widgets', verb: 'list' } },
  );
  t.note('verbs are compared by case', await statuses(t, requests(s, as('conf-upper'))));
}

export async function refusals(t) {
  const s = await scene(t, 'sec-refusals');
  await make(t, s.all, s.widget('w'));
  const headers = as('conf-nobody');
  const ask = (label, method, url, rest = {}) =>
    t.step(label, method, url, { ...rest, headers: { ...headers, ...rest.headers } });
  await ask('get', 'GET', s.at('w'));
  await ask('get of one that does not exist', 'GET', s.at('none'));
  await ask('list', 'GET', s.all);
  await ask('watch', 'GET', `${s.all}?watch=1`);
  await ask('the old watch path', 'GET', `/apis/${s.group}/v1/watch/namespaces/${s.ns}/widgets`);
  await ask(
    'the old watch path of one object',
    'GET',
    `/apis/${s.group}/v1/watch/namespaces/${s.ns}/widgets/w`,
  );
  await ask('create', 'POST', s.all, { body: s.widget('new') });
  await ask('create with a body that is no JSON', 'POST', s.all, { body: '{' });
  await ask('update', 'PUT', s.at('w'), { body: s.widget('w') });
  await ask('merge patch', 'PATCH', s.at('w'), { body: {}, type: MERGE });
  await ask('apply', 'PATCH', `${s.at('w')}?fieldManager=x`, { body: s.widget('w'), type: APPLY });
  await ask('delete', 'DELETE', s.at('w'));
  await ask('deletecollection', 'DELETE', s.all);
  await ask('list over all namespaces', 'GET', s.everywhere);
  await ask('watch over all namespaces', 'GET', `${s.everywhere}?watch=true`);
  await ask('deletecollection over all namespaces', 'DELETE', s.everywhere);
  await ask('list by name', 'GET', `${s.all}?fieldSelector=metadata.name%3Dw`);
  await ask('status: get', 'GET', `${s.at('w')}/status`);
  await ask('status: update', 'PUT', `${s.at('w')}/status`, { body: {} });
  await ask('status: patch', 'PATCH', `${s.at('w')}/status`, { body: {}, type: MERGE });
  await ask('scale: get', 'GET', `${s.at('w')}/scale`);
  await ask('scale: update', 'PUT', `${s.at('w')}/scale`, { body: {} });
  await ask('a subresource that does not exist', 'GET', `${s.at('w')}/nothing`);
  await ask('a longer path', 'GET', `${s.at('w')}/proxy/some/where`);
  await ask('POST to an object', 'POST', s.at('w'), { body: {} });
  await ask('PUT to a collection', 'PUT', s.all, { body: {} });
  await ask('PATCH of a collection', 'PATCH', s.all, { body: {}, type: MERGE });
  await ask('OPTIONS', 'OPTIONS', s.all);
  await ask('an unknown resource', 'GET', `/apis/${s.group}/v1/namespaces/${s.ns}/gadgets`);
  await ask('an unknown version', 'GET', `/apis/${s.group}/v9/namespaces/${s.ns}/widgets`);
  await ask('an unknown group', 'GET', '/apis/none.conf.example.com/v1/things');
  await ask(
    'an unknown group, one object',
    'DELETE',
    '/apis/none.conf.example.com/v1/namespaces/default/things/x',
  );
  await ask('a namespace that does not exist', 'GET', `/apis/${s.group}/v1/namespaces/conf-none/widgets`);
  for (const [label, headersOfOne] of Object.entries({
    'a user with groups': as('conf-nobody', { groups: ['one', 'two'] }),
    'a user with a quote': as('o"neil'),
    'a user with a space': as('a user'),
    'a service account': as('system:serviceaccount:default:robot'),
    'the anonymous user': as('system:anonymous'),
    'a node': as('system:node:n1', { groups: 'system:nodes' }),
  }))
    await t.step(label, 'GET', s.at('w'), { headers: headersOfOne });
  const cluster = 'sec-refusals2.conf.example.com';
  await t.crd(crd(cluster, 'Planet', { scope: 'Cluster' }));
  const planets = resource(cluster, 'v1', 'planets');
  await ask('cluster scope: get', 'GET', `${planets}/p`);
  await ask('cluster scope: list', 'GET', planets);
  await ask('cluster scope: create', 'POST', planets, { body: custom(cluster, 'v1', 'Planet', 'p') });
  await ask('cluster scope: deletecollection', 'DELETE', planets);
  await ask('cluster scope: under a namespace', 'GET', `/apis/${cluster}/v1/namespaces/${s.ns}/planets`);
}

export async function refusalsOfBuiltins(t) {
  const ns = await t.namespace('conf-sec-builtins');
  const headers = as('conf-nobody');
  const ask = (label, method, url, rest = {}) =>
    t.step(label, method, url, { ...rest, headers: { ...headers, ...rest.headers } });
  const core = `/api/v1/namespaces/${ns}`;
  await ask('a secret', 'GET', `${core}/secrets/s`);
  await ask('config maps', 'GET', `${core}/configmaps`);
  await ask('all config maps', 'GET', '/api/v1/configmaps');
  await ask('create a config map', 'POST', `${core}/configmaps`, { body: {} });
  await ask('namespaces', 'GET', '/api/v1/namespaces');
  await ask('a namespace', 'GET', core);
  await ask('create a namespace', 'POST', '/api/v1/namespaces', { body: {} });
  await ask('delete a namespace', 'DELETE', core);
  await ask('the status of a namespace', 'PUT', `${core}/status`, { body: {} });
  await ask('finalize a namespace', 'PUT', `${core}/finalize`, { body: {} });
  await ask('nodes', 'GET', '/api/v1/nodes');
  await ask('the log of a pod', 'GET', `${core}/pods/p/log`);
  await ask('exec into a pod', 'POST', `${core}/pods/p/exec?command=ls`);
  await ask('evict a pod', 'POST', `${core}/pods/p/eviction`, { body: {} });
  await ask('proxy to a service', 'GET', `${core}/services/http:s:80/proxy/x`);
  await ask('a token of a service account', 'POST', `${core}/serviceaccounts/default/token`, { body: {} });
  await ask('deployments', 'GET', `/apis/apps/v1/namespaces/${ns}/deployments`);
  await ask('scale of a deployment', 'PUT', `/apis/apps/v1/namespaces/${ns}/deployments/d/scale`, {
    body: {},
  });
  await ask('CRDs', 'GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
  await ask('create a CRD', 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: {} });
  await ask('roles', 'GET', roles(ns));
  await ask('cluster roles', 'GET', roles());
  await ask('create a cluster role', 'POST', roles(), { body: {} });
  await ask(
    'webhook configurations',
    'GET',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  );
  await ask('leases', 'GET', `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases/x`);
  await ask('a SubjectAccessReview', 'POST', `${AUTHZ}/subjectaccessreviews`, { body: {} });
  await ask('a LocalSubjectAccessReview', 'POST', `${AUTHZ}/namespaces/${ns}/localsubjectaccessreviews`, {
    body: {},
  });
  await ask('a TokenReview', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: {} });
  for (const path of [
    '/',
    '/metrics',
    '/logs',
    '/logs/x',
    '/debug/pprof',
    '/configz',
    '/nothing/here',
    '/api/v1/',
    '/apis/',
    '/apisnot',
    '/healthz/etcd',
    '/livez/ping',
    '/openid/v1/jwks',
    '/.well-known/openid-configuration',
  ])
    await ask(`GET ${path}`, 'GET', path, { pick: () => 'ok' });
  await ask('POST /healthz', 'POST', '/healthz', { body: {} });
  await ask('DELETE /nothing', 'DELETE', '/nothing');
  for (const path of [
    '/healthz',
    '/livez',
    '/readyz',
    '/version',
    '/version/',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/apps',
    '/apis/apps/v1',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/apis/apps/v1',
  ])
    await ask(`GET ${path} is for everyone who is known`, 'GET', path, {
      pick: (b) => b.kind ?? (typeof b === 'string' ? b.slice(0, 2) : 'object'),
    });
}

export async function subresources(t) {
  const s = await scene(t, 'sec-subs');
  await make(t, s.all, s.widget('w', { spec: { replicas: 1 } }));
  const scaled = (n) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'w', namespace: s.ns },
    spec: { replicas: n },
  });
  const ask = (headers) => ({
    object: ['GET', s.at('w'), { headers }],
    'patch object': [
      'PATCH',
      `${s.at('w')}?dryRun=All`,
      { headers: { ...headers, 'content-type': MERGE }, body: {} },
    ],
    status: ['GET', `${s.at('w')}/status`, { headers }],
    'patch status': [
      'PATCH',
      `${s.at('w')}/status?dryRun=All`,
      { headers: { ...headers, 'content-type': MERGE }, body: {} },
    ],
    scale: ['GET', `${s.at('w')}/scale`, { headers }],
    'update scale': ['PUT', `${s.at('w')}/scale?dryRun=All`, { headers, body: scaled(1) }],
    'patch scale': [
      'PATCH',
      `${s.at('w')}/scale?dryRun=All`,
      { headers: { ...headers, 'content-type': MERGE }, body: {} },
    ],
  });
  const all = ['get', 'update', 'patch'];
  const grants = {
    widgets: [rule(s.group, 'widgets', all)],
    'widgets/status': [rule(s.group, 'widgets/status', all)],
    'widgets/scale': [rule(s.group, 'widgets/scale', all)],
    'get of widgets/scale': [rule(s.group, 'widgets/scale', 'get')],
    '*/status': [rule(s.group, '*/status', all)],
    '*/scale': [rule(s.group, '*/scale', all)],
    'widgets/*': [rule(s.group, 'widgets/status', all), rule(s.group, 'widgets/*', all)],
    '*': [rule(s.group, '*', all)],
    '*/*': [rule(s.group, 'widgets/status', all), rule(s.group, '*/*', all)],
    'status alone': [rule(s.group, 'widgets/status', all), rule(s.group, 'status', all)],
    'widgets and widgets/status by name': [
      rule(s.group, ['widgets', 'widgets/status'], all, { resourceNames: ['w'] }),
    ],
    'by the singular': [rule(s.group, 'widgets/status', 'get'), rule(s.group, 'widget', all)],
  };
  let i = 0;
  for (const [what, rules] of Object.entries(grants)) {
    const name = `conf-sub${i++}`;
    await grant(t, s.ns, name, rules, user(name));
    t.note(`a rule for ${what}`, await statuses(t, ask(as(name))));
  }
  await t.step('refused a subresource', 'GET', `${s.at('w')}/status`, { headers: as('conf-sub0') });
  await t.step('refused the object', 'GET', s.at('w'), { headers: as('conf-sub1') });
}

export async function resourceNames(t) {
  const s = await scene(t, 'sec-names');
  await make(t, s.all, s.widget('w'), s.widget('x'));
  await grant(t, s.ns, 'one', [rule(s.group, 'widgets', VERBS, { resourceNames: ['w'] })], user('conf-one'));
  const headers = as('conf-one');
  const ask = (label, method, url, rest = {}) =>
    t.step(label, method, url, { pick: (b) => b.kind, ...rest, headers: { ...headers, ...rest.headers } });
  await ask('get of the named one', 'GET', s.at('w'));
  await ask('get of another', 'GET', s.at('x'));
  await ask('list', 'GET', s.all);
  await ask('list by its name', 'GET', `${s.all}?fieldSelector=metadata.name%3Dw`, { pick: names });
  await ask('list by its name with ==', 'GET', `${s.all}?fieldSelector=metadata.name%3D%3Dw`, {
    pick: names,
  });
  await ask('list by another name', 'GET', `${s.all}?fieldSelector=metadata.name%3Dx`);
  await ask(
    'list by its name and namespace',
    'GET',
    `${s.all}?fieldSelector=metadata.name%3Dw,metadata.namespace%3D${s.ns}`,
    { pick: names },
  );
  await ask('list by not another name', 'GET', `${s.all}?fieldSelector=metadata.name!%3Dx`);
  await ask(
    'list by its name and a label',
    'GET',
    `${s.all}?fieldSelector=metadata.name%3Dw&labelSelector=a%3Db`,
    { pick: names },
  );
  await ask('list by a bad selector', 'GET', `${s.all}?fieldSelector=metadata.name`);
  await ask('list by a name that is none', 'GET', `${s.all}?fieldSelector=metadata.name%3Da%2Fb`);
  await ask('over all namespaces by its name', 'GET', `${s.everywhere}?fieldSelector=metadata.name%3Dw`);
  await ask('watch', 'GET', `${s.all}?watch=true`);
  await t.watch('watch by its name', `${s.all}?watch=true&fieldSelector=metadata.name%3Dw`, {
    count: 1,
    headers,
    pick: (e) => [e.type, e.object.metadata?.name],
  });
  await ask('create of the named one', 'POST', `${s.all}?dryRun=All`, { body: s.widget('w') });
  await ask('update', 'PATCH', `${s.at('w')}?dryRun=All`, { body: { spec: { size: 'l' } }, type: MERGE });
  await ask('update of another', 'PATCH', `${s.at('x')}?dryRun=All`, { body: {}, type: MERGE });
  await ask('delete of another', 'DELETE', s.at('x'));
  await ask('delete', 'DELETE', `${s.at('w')}?dryRun=All`);
  await ask('deletecollection', 'DELETE', `${s.all}?dryRun=All`);
  await ask('deletecollection by its name', 'DELETE', `${s.all}?dryRun=All&fieldSelector=metadata.name%3Dw`, {
    pick: (b) => b.kind,
  });
  await ask('the status needs a rule of its own', 'GET', `${s.at('w')}/status`);
}

export async function patchThatCreates(t) {
  const s = await scene(t, 'sec-apply');
  await clean(t, s.all);
  await grant(t, s.ns, 'patcher', [rule(s.group, 'widgets', 'patch')], user('conf-patcher'));
  await grant(t, s.ns, 'applier', [rule(s.group, 'widgets', ['patch', 'create'])], user('conf-applier'));
  await grant(
    t,
    s.ns,
    'updater',
    [rule('rbac.authorization.k8s.io', 'roles', ['update'])],
    user('conf-updater'),
  );
  const apply = (label, who, n) =>
    t.step(label, 'PATCH', `${s.at(n)}?fieldManager=m`, {
      headers: as(who),
      body: s.widget(n),
      type: APPLY,
      pick: lean,
    });
  await apply('apply that would create needs create too', 'conf-patcher', 'a');
  await apply('with create', 'conf-applier', 'a');
  await apply('apply to one that exists needs patch only', 'conf-patcher', 'a');
  await t.step('a merge patch of one that does not exist', 'PATCH', s.at('b'), {
    headers: as('conf-patcher'),
    body: {},
    type: MERGE,
  });
  await t.step(
    'PUT of one that does not exist, of a kind that it would create',
    'PUT',
    `${roles(s.ns)}/fresh`,
    { headers: as('conf-updater'), body: role(s.ns, 'fresh', []) },
  );
  await t.step('the same by the admin', 'PUT', `${roles(s.ns)}/fresh?dryRun=All`, {
    body: role(s.ns, 'fresh', []),
    pick: lean,
  });
}

export async function wildcards(t) {
  const s = await scene(t, 'sec-stars');
  const other = await t.namespace('conf-sec-stars2');
  await make(t, s.all, s.widget('w'));
  const table = (headers) => ({
    'widgets here': ['GET', s.at('w'), { headers }],
    'widgets there': ['GET', resource(s.group, 'v1', 'widgets', other), { headers }],
    'widgets everywhere': ['GET', s.everywhere, { headers }],
    'status here': ['GET', `${s.at('w')}/status`, { headers }],
    'delete here': ['DELETE', `${s.at('w')}?dryRun=All`, { headers }],
    'config maps here': ['GET', `/api/v1/namespaces/${s.ns}/configmaps`, { headers }],
    'the namespace itself': ['GET', `/api/v1/namespaces/${s.ns}`, { headers }],
    'all namespaces': ['GET', '/api/v1/namespaces', { headers }],
    'a path': ['GET', '/metrics', { headers }],
  });
  const cases = {
    'any verb': [rule(s.group, 'widgets', '*')],
    'any resource of the group': [rule(s.group, '*', 'get')],
    'any group': [rule('*', 'widgets', 'get')],
    'any group and resource': [rule('*', '*', ['get', 'list'])],
    everything: [rule('*', '*', '*')],
    'the core group only': [rule('', '*', '*')],
    'no such group': [rule('conf.example.com', '*', '*')],
    'a star within a name is no pattern': [
      rule(s.group, 'widgets/status', 'get'),
      rule(s.group, 'wid*', '*'),
    ],
    'a star within a verb is no pattern': [
      rule(s.group, 'widgets/status', 'get'),
      rule(s.group, 'widgets', 'ge*'),
    ],
    'a star within a group is no pattern': [
      rule(s.group, 'widgets/status', 'get'),
      rule('*.conf.example.com', 'widgets', '*'),
    ],
  };
  let i = 0;
  for (const [what, rules] of Object.entries(cases)) {
    const name = `conf-star${i++}`;
    const [res, sub] = rules[0].resources[0].split('/');
    const who = [
      { user: name },
      {
        resourceAttributes: {
          namespace: s.ns,
          group: rules[0].apiGroups[0],
          resource: res,
          subresource: sub,
          verb: rules[0].verbs[0],
        },
      },
    ];
    await grant(t, s.ns, name, rules, user(name));
    await settled(t, ...who);
    t.note(`in a namespace: ${what}`, await statuses(t, table(as(name))));
    const whole = `conf-sec-${name}`;
    await grant(t, undefined, whole, rules, user(whole));
    t.note(`in the cluster: ${what}`, await statuses(t, table(as(whole))));
  }
}

export async function oneRoleInManyNamespaces(t) {
  const s = await scene(t, 'sec-shared');
  const other = await t.namespace('conf-sec-shared2');
  await make(
    t,
    roles(),
    role(undefined, 'conf-sec-shared', [
      rule(s.group, 'widgets', ['get', 'list']),
      rule('', 'namespaces', ['get', 'list']),
      paths('/metrics'),
    ]),
  );
  await make(t, bindings(s.ns), binding(s.ns, 'shared', 'ClusterRole/conf-sec-shared', user('conf-shared')));
  await settled(
    t,
    { user: 'conf-shared' },
    { resourceAttributes: { namespace: s.ns, group: s.group, resource: 'widgets', verb: 'get' } },
  );
  const headers = as('conf-shared');
  const ask = (label, url, pick = (b) => b.kind) => t.step(label, 'GET', url, { headers, pick });
  await ask('here', s.all);
  await ask('elsewhere', resource(s.group, 'v1', 'widgets', other));
  await ask('everywhere', s.everywhere);
  await ask('the namespace itself', `/api/v1/namespaces/${s.ns}`);
  await ask('the other namespace', `/api/v1/namespaces/${other}`);
  await ask('all namespaces', '/api/v1/namespaces');
  await ask('paths are not granted in a namespace', '/metrics');
  await t.setup('PATCH', `${roles()}/conf-sec-shared`, {
    body: [{ op: 'replace', path: '/rules/0/verbs', value: ['list', 'deletecollection'] }],
    type: JSON_PATCH,
  });
  await settled(
    t,
    { user: 'conf-shared' },
    { resourceAttributes: { namespace: s.ns, group: s.group, resource: 'widgets', verb: 'get' } },
    false,
  );
  await ask('a change of the role is followed', s.at('x'));
  await t.setup('DELETE', `${bindings(s.ns)}/shared`);
  await settled(
    t,
    { user: 'conf-shared' },
    { resourceAttributes: { namespace: s.ns, group: s.group, resource: 'widgets', verb: 'list' } },
    false,
  );
  await ask('and the end of the binding', s.all);
  await make(t, bindings(s.ns), binding(s.ns, 'dangling', 'Role/none', user('conf-shared')));
  await t.sleep(200);
  await ask('a binding to a role that does not exist', s.all);
}

export async function groups(t) {
  const s = await scene(t, 'sec-groups');
  const sa = (ns, n) => as(`system:serviceaccount:${ns}:${n}`);
  const who = {
    nobody: as('conf-somebody'),
    'a member of devs': as('conf-somebody', { groups: 'devs' }),
    'a member of devs and ops': as('conf-somebody', { groups: ['ops', 'devs'] }),
    'a service account here': sa(s.ns, 'robot'),
    'another service account here': sa(s.ns, 'other'),
    'a service account elsewhere': sa('default', 'robot'),
    anonymous: as('system:anonymous'),
    'a user called devs': as('devs'),
  };
  const subjects = {
    'the group devs': group('devs'),
    'the group Devs': group('Devs'),
    'system:authenticated': group('system:authenticated'),
    'system:unauthenticated': group('system:unauthenticated'),
    'system:serviceaccounts': group('system:serviceaccounts'),
    'system:serviceaccounts:NS': group(`system:serviceaccounts:${s.ns}`),
    'a service account': account(s.ns, 'robot'),
    'a service account by its user name': user(`system:serviceaccount:${s.ns}:robot`),
    'a user': user('conf-somebody'),
    'the anonymous user': user('system:anonymous'),
    'a star': [user('*'), group('*')],
    'a user and a group': [user('devs'), group('devs')],
  };
  await make(t, roles(s.ns), role(s.ns, 'lister', [rule(s.group, 'widgets', 'list')]));
  for (const [what, subject] of Object.entries(subjects)) {
    await make(t, bindings(s.ns), binding(s.ns, 'b', 'Role/lister', subject));
    const first = [subject].flat()[0];
    const attributes = {
      resourceAttributes: { namespace: s.ns, group: s.group, resource: 'widgets', verb: 'list' },
    };
    const probe =
      first.kind === 'Group'
        ? { user: 'x', groups: [first.name] }
        : {
            user:
              first.kind === 'User' ? first.name : `system:serviceaccount:${first.namespace}:${first.name}`,
          };
    await settled(t, probe, attributes);
    t.note(
      `bound: ${what}`,
      await statuses(
        t,
        Object.fromEntries(Object.entries(who).map(([k, headers]) => [k, ['GET', s.all, { headers }]])),
      ),
    );
    await t.setup('DELETE', `${bindings(s.ns)}/b`);
    await settled(t, probe, attributes, false);
  }
  await t.step('system:masters may do everything', 'GET', s.all, {
    headers: as('conf-somebody', { groups: 'system:masters' }),
    pick: (b) => b.kind,
  });
}

export async function nonResourcePaths(t) {
  const cases = {
    '/metrics': ['/metrics', '/metrics/', '/metrics/slis', '/metricsx'],
    '/metrics/*': ['/metrics', '/metrics/', '/metrics/slis', '/metricsx'],
    '/met*': ['/metrics', '/metrics/slis', '/meat'],
    '/healthz/*': ['/healthz', '/healthz/ping', '/healthz/none'],
    '*': ['/metrics', '/', '/nothing/at/all'],
    '/*': ['/metrics', '/', '/nothing/at/all'],
    '/api/v1/namespaces': ['/api/v1/namespaces'],
  };
  let i = 0;
  for (const [path, asked] of Object.entries(cases)) {
    const name = `conf-sec-path${i++}`;
    await grant(t, undefined, name, [paths(path)], user(name));
    const out = {};
    for (const a of asked) out[a] = (await t.client.request('GET', a, { headers: as(name) })).status;
    t.note(`a rule for ${path}`, out);
  }
  await grant(t, undefined, 'conf-sec-path-verbs', [paths('/metrics', 'post')], user('conf-sec-path-verbs'));
  await t.step('another verb', 'GET', '/metrics', { headers: as('conf-sec-path-verbs') });
  await t.step('its verb', 'POST', '/metrics', { headers: as('conf-sec-path-verbs'), pick: () => 'ok' });
  await grant(t, undefined, 'conf-sec-path-any', [paths('/metrics', '*')], user('conf-sec-path-any'));
  await t.step('any verb', 'GET', '/metrics', { headers: as('conf-sec-path-any'), pick: () => 'ok' });
  await t.step('HEAD is its own verb', 'HEAD', '/metrics', {
    headers: as('conf-sec-path0'),
    pick: () => 'ok',
  });
}
