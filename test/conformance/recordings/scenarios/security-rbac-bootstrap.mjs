// The roles a server comes with.
import { AUTHZ, as, bindings, MERGE, names, RBAC, role, roles, rule, settled } from './helpers/security.mjs';

const DEFAULTS = 'labelSelector=kubernetes.io/bootstrapping%3Drbac-defaults';
const shown = (b) => ({
  labels: b.metadata.labels,
  annotations: b.metadata.annotations,
  rules: b.rules,
  aggregationRule: b.aggregationRule,
  roleRef: b.roleRef,
  subjects: b.subjects,
});

export async function namesOfDefaults(t) {
  await t.step('cluster roles', 'GET', `${roles()}?${DEFAULTS}`, { pick: names });
  await t.step('cluster role bindings', 'GET', `${bindings()}?${DEFAULTS}`, { pick: names });
  await t.step('roles', 'GET', `${RBAC}/roles?${DEFAULTS}`, {
    pick: (b) => b.items.map((i) => `${i.metadata.namespace}/${i.metadata.name}`),
  });
  await t.step('role bindings', 'GET', `${RBAC}/rolebindings?${DEFAULTS}`, {
    pick: (b) => b.items.map((i) => `${i.metadata.namespace}/${i.metadata.name}`),
  });
  await t.step(
    'cluster roles without that label',
    'GET',
    `${roles()}?labelSelector=!kubernetes.io/bootstrapping`,
    { pick: (b) => names(b).filter((n) => !n.startsWith('conf-')) },
  );
  await t.step(
    'cluster role bindings without that label',
    'GET',
    `${bindings()}?labelSelector=!kubernetes.io/bootstrapping`,
    { pick: (b) => names(b).filter((n) => !n.startsWith('conf-')) },
  );
  await t.step('which are kept up to date', 'GET', `${roles()}?${DEFAULTS}`, {
    pick: (b) =>
      b.items
        .filter((i) => i.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] !== 'true')
        .map((i) => i.metadata.name),
  });
  await t.step('which are aggregated', 'GET', `${roles()}?${DEFAULTS}`, {
    pick: (b) =>
      b.items
        .filter((i) => i.aggregationRule)
        .map((i) => [i.metadata.name, i.aggregationRule, i.rules?.length ?? null]),
  });
  await t.step('which aggregate to others', 'GET', `${roles()}?${DEFAULTS}`, {
    pick: (b) =>
      b.items
        .filter((i) => Object.keys(i.metadata.labels).length > 1)
        .map((i) => [i.metadata.name, i.metadata.labels]),
  });
}

export async function rulesOfDefaults(t) {
  for (const n of [
    'cluster-admin',
    'admin',
    'edit',
    'view',
    'system:aggregate-to-admin',
    'system:aggregate-to-edit',
    'system:aggregate-to-view',
    'system:discovery',
    'system:basic-user',
    'system:public-info-viewer',
    'system:service-account-issuer-discovery',
    'system:auth-delegator',
    'system:monitoring',
    'system:volume-scheduler',
    'system:heapster',
    'system:node-bootstrapper',
  ]) {
    await t.step(`cluster role ${n}`, 'GET', `${roles()}/${n}`, { pick: shown });
  }
  for (const n of [
    'cluster-admin',
    'system:discovery',
    'system:basic-user',
    'system:public-info-viewer',
    'system:service-account-issuer-discovery',
    'system:monitoring',
  ]) {
    await t.step(`cluster role binding ${n}`, 'GET', `${bindings()}/${n}`, { pick: shown });
  }
  await t.step(
    'role extension-apiserver-authentication-reader',
    'GET',
    `${roles('kube-system')}/extension-apiserver-authentication-reader`,
    { pick: shown },
  );
  await t.step(
    'role binding system::extension-apiserver-authentication-reader',
    'GET',
    `${bindings('kube-system')}/system::extension-apiserver-authentication-reader`,
    { pick: shown },
  );
}

export async function defaultsCanBeChanged(t) {
  const name = 'system:node-bootstrapper';
  const url = `${roles()}/${name}`;
  const {
    rules,
    metadata: { labels, annotations },
  } = await t.setup('GET', url);
  t.onEnd(async () => {
    await t.client.request('DELETE', url);
    await t.client.request('POST', roles(), {
      body: role(undefined, name, rules, { metadata: { name, labels, annotations } }),
    });
  });
  await t.step('a rule more', 'PATCH', url, {
    body: { rules: [...rules, rule('conf.example.com', 'things', 'get')] },
    type: MERGE,
    pick: (b) => b.rules,
  });
  await t.step('no autoupdate', 'PATCH', url, {
    body: { metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } },
    type: MERGE,
    pick: (b) => b.metadata.annotations,
  });
  await t.step('no label', 'PATCH', url, { body: { metadata: { labels: null } }, type: MERGE, pick: shown });
  await t.step('delete', 'DELETE', url);
  await t.step('it stays away', 'GET', url);
  await t.step('and can be made anew', 'POST', roles(), { body: role(undefined, name, []), pick: shown });
}

export async function boundInANamespace(t) {
  const ns = await t.namespace('conf-sec-edit');
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
  const table = (headers) => ({
    'list config maps': ['GET', `/api/v1/namespaces/${ns}/configmaps`, { headers }],
    'create config maps': ['POST', `/api/v1/namespaces/${ns}/configmaps?dryRun=All`, { headers, body: map }],
    'list secrets': ['GET', `/api/v1/namespaces/${ns}/secrets`, { headers }],
    'list roles': ['GET', roles(ns), { headers }],
    'get the namespace': ['GET', `/api/v1/namespaces/${ns}`, { headers }],
    'list quotas': ['GET', `/api/v1/namespaces/${ns}/resourcequotas`, { headers }],
    'create deployments': [
      'POST',
      `/apis/apps/v1/namespaces/${ns}/deployments?dryRun=All`,
      { headers, body: {} },
    ],
    'list leases': ['GET', `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`, { headers }],
    'local access reviews': [
      'POST',
      `${AUTHZ}/namespaces/${ns}/localsubjectaccessreviews`,
      { headers, body: {} },
    ],
  });
  // admin, edit and view are filled in by a controller, which may not run: the roles they aggregate are bound
  // here.
  for (const [name, of] of Object.entries({
    admin: 'system:aggregate-to-admin',
    edit: 'system:aggregate-to-edit',
    view: 'system:aggregate-to-view',
    'cluster-admin': 'cluster-admin',
  })) {
    const b = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: of },
      subjects: [{ kind: 'User', name: `conf-${name}` }],
    };
    await t.client.request('DELETE', `${bindings(ns)}/${name}`);
    t.onEnd(() => t.client.request('DELETE', `${bindings(ns)}/${name}`));
    await t.setup('POST', bindings(ns), { body: b });
    await settled(
      t,
      { user: `conf-${name}` },
      {
        resourceAttributes:
          name === 'admin'
            ? { namespace: ns, group: 'rbac.authorization.k8s.io', resource: 'roles', verb: 'get' }
            : name === 'edit'
              ? { namespace: ns, resource: 'configmaps', verb: 'create' }
              : { namespace: ns, resource: 'configmaps', verb: 'get' },
      },
    );
    const out = {};
    for (const [what, [method, url, rest]] of Object.entries(table(as(`conf-${name}`))))
      out[what] = (await t.client.request(method, url, rest)).status === 403 ? 'refused' : 'allowed';
    t.note(`who has ${of}`, out);
  }
}
