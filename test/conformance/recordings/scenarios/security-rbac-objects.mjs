// Roles and bindings as objects: what is stored, filled in and refused.
import {
  APPLY,
  account,
  binding,
  bindings,
  clean,
  group,
  JSON_PATCH,
  lean,
  MERGE,
  names,
  paths,
  RBAC,
  role,
  roles,
  rule,
  STRATEGIC,
  user,
} from './helpers/security.mjs';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const cells = (b) => ({
  columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
  rows: b.rows.map((r) => r.cells.filter((_, i) => !/^(Age|Created At)$/.test(b.columnDefinitions[i].name))),
});
const pods = rule('', 'pods', ['get', 'list']);

export async function rolesOfANamespace(t) {
  const ns = await t.namespace('conf-sec-roles');
  const url = roles(ns);
  await clean(t, url);
  await t.step('create', 'POST', url, { body: role(ns, 'reader', [pods]) });
  await t.step('create again', 'POST', url, { body: role(ns, 'reader', [pods]) });
  await t.step('without rules', 'POST', url, { body: role(ns, 'norules', undefined), pick: lean });
  await t.step('with rules: null', 'POST', url, { body: role(ns, 'nullrules', null), pick: lean });
  await t.step('with rules: []', 'POST', url, { body: role(ns, 'emptyrules', []), pick: lean });
  await t.step('without kind and apiVersion', 'POST', url, {
    body: { metadata: { name: 'bare' }, rules: [pods] },
    pick: lean,
  });
  await t.step('the wrong kind', 'POST', url, {
    body: { ...role(ns, 'wrong', [pods]), kind: 'ClusterRole' },
  });
  await t.step('a name with a colon', 'POST', url, { body: role(ns, 'team:reader', [pods]), pick: lean });
  await t.step('a name in capitals with spaces', 'POST', url, {
    body: role(ns, 'Team Reader', [pods]),
    pick: lean,
  });
  await t.step('a generated name', 'POST', url, {
    body: { ...role(ns, undefined, [pods]), metadata: { generateName: 'gen:' } },
    pick: (b) => /^gen:[a-z0-9]{5}$/.test(b.metadata.name),
  });
  for (const bad of ['a/b', '.', '..', 'a%b', ''])
    await t.step(`the name "${bad}"`, 'POST', url, { body: role(ns, bad, [pods]) });
  await t.step('unknown verbs and resources are kept', 'POST', url, {
    body: role(ns, 'odd', [rule('no.such.group', 'unheard/of', ['fly', ''])]),
    pick: lean,
  });
  await t.step('an unknown field', 'POST', url, {
    body: role(ns, 'unknown', [{ ...pods, extra: 1 }]),
    pick: lean,
  });
  await t.step('an unknown field with fieldValidation=Strict', 'POST', `${url}?fieldValidation=Strict`, {
    body: role(ns, 'unknown2', [{ ...pods, extra: 1 }]),
  });
  await t.step('an aggregationRule is not of a Role', 'POST', `${url}?fieldValidation=Strict`, {
    body: role(ns, 'aggregate', [], {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    }),
  });
  await t.step('get', 'GET', `${url}/reader`, { pick: lean });
  await t.step('get by a name with a colon', 'GET', `${url}/team:reader`, { pick: lean });
  await t.step('get by a name with a space', 'GET', `${url}/Team%20Reader`, { pick: lean });
  await t.step('get of one that does not exist', 'GET', `${url}/none`);
  await t.step('list', 'GET', `${url}?fieldSelector=metadata.name%3Dreader`, {
    pick: (b) => ({ ...b, items: b.items.map(lean) }),
  });
  await t.step('list as a table', 'GET', `${url}?fieldSelector=metadata.name%3Dreader`, {
    headers: { accept: TABLE },
    pick: cells,
  });
  await t.step('an unsupported field selector', 'GET', `${url}?fieldSelector=rules%3Dx`);
  await t.step('list over all namespaces', 'GET', `${RBAC}/roles?fieldSelector=metadata.namespace%3D${ns}`, {
    pick: (b) => names(b).filter((n) => !n.startsWith('gen:')),
  });
  await t.step('merge patch', 'PATCH', `${url}/reader`, {
    body: { rules: [rule('', 'pods', 'get')] },
    type: MERGE,
    pick: lean,
  });
  await t.step('strategic merge patch replaces the rules', 'PATCH', `${url}/reader`, {
    body: { rules: [rule('', 'secrets', 'get')] },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('JSON patch', 'PATCH', `${url}/reader`, {
    body: [{ op: 'add', path: '/rules/0/verbs/-', value: 'watch' }],
    type: JSON_PATCH,
    pick: lean,
  });
  await t.step('JSON patch to no verbs', 'PATCH', `${url}/reader`, {
    body: [{ op: 'replace', path: '/rules/0/verbs', value: [] }],
    type: JSON_PATCH,
  });
  await t.step('apply takes the rules over', 'PATCH', `${url}/reader?fieldManager=me&force=true`, {
    body: role(ns, 'reader', [pods]),
    type: APPLY,
    pick: (b) => ({
      ...lean(b),
      managers: b.metadata.managedFields.map((m) => [m.manager, m.operation, m.fieldsV1]),
    }),
  });
  await t.step('apply that creates', 'PATCH', `${url}/applied?fieldManager=me`, {
    body: role(ns, 'applied', [pods]),
    type: APPLY,
    pick: lean,
  });
  await t.step('apply that conflicts', 'PATCH', `${url}/applied?fieldManager=you`, {
    body: role(ns, 'applied', []),
    type: APPLY,
  });
  await t.step('update', 'PUT', `${url}/reader`, {
    body: role(ns, 'reader', [rule('', '*', '*')]),
    pick: lean,
  });
  await t.step('an update with another name', 'PUT', `${url}/reader`, { body: role(ns, 'other', []) });
  await t.step('a stale update', 'PUT', `${url}/reader`, {
    body: { ...role(ns, 'reader', []), metadata: { name: 'reader', resourceVersion: '1' } },
  });
  await t.step('an update of one that does not exist creates it', 'PUT', `${url}/putted`, {
    body: role(ns, 'putted', [pods]),
    pick: lean,
  });
  await t.step('dry run', 'POST', `${url}?dryRun=All`, { body: role(ns, 'dry', [pods]), pick: lean });
  await t.step('which was not stored', 'GET', `${url}/dry`);
  await t.watch(
    'watch',
    `${url}?watch=true&fieldSelector=metadata.name%3Dseen&resourceVersion=${(await t.client.request('GET', url)).body.metadata.resourceVersion}`,
    { count: 3, pick: (e) => ({ type: e.type, object: lean(e.object) }) },
    async () => {
      await t.setup('POST', url, { body: role(ns, 'seen', [pods]) });
      await t.setup('PATCH', `${url}/seen`, { body: { rules: [] }, type: MERGE });
      await t.setup('DELETE', `${url}/seen`);
    },
  );
  await t.step('delete', 'DELETE', `${url}/reader`);
  await t.step('delete again', 'DELETE', `${url}/reader`);
  await t.step('deletecollection', 'DELETE', url, {
    pick: (b) => ({ kind: b.kind, names: names(b).filter((n) => !n.startsWith('gen:')) }),
  });
  await t.step('there is no status', 'GET', `${url}/reader/status`);
}

export async function roleFaults(t) {
  const ns = await t.namespace('conf-sec-rolefaults');
  await clean(t, roles(ns), `${roles()}/conf-sec-fault`);
  const faults = {
    'no verbs': { apiGroups: [''], resources: ['pods'] },
    'empty verbs': { apiGroups: [''], resources: ['pods'], verbs: [] },
    'no apiGroups': { resources: ['pods'], verbs: ['get'] },
    'empty apiGroups': { apiGroups: [], resources: ['pods'], verbs: ['get'] },
    'no resources': { apiGroups: [''], verbs: ['get'] },
    'verbs only': { verbs: ['get'] },
    nothing: {},
    'a nonResourceURL': { nonResourceURLs: ['/healthz'], verbs: ['get'] },
    'a nonResourceURL without verbs': { nonResourceURLs: ['/healthz'] },
    'a nonResourceURL and resources': {
      apiGroups: [''],
      resources: ['pods'],
      nonResourceURLs: ['/healthz'],
      verbs: ['get'],
    },
    'a nonResourceURL and resourceNames': {
      resourceNames: ['x'],
      nonResourceURLs: ['/healthz'],
      verbs: ['get'],
    },
    'resourceNames only': { resourceNames: ['x'], verbs: ['get'] },
    'a star within a path': { nonResourceURLs: ['/a/*/b'], verbs: ['get'] },
    'a path without slash': { nonResourceURLs: ['healthz'], verbs: ['get'] },
    'verbs that are no list': { apiGroups: [''], resources: ['pods'], verbs: 'get' },
  };
  for (const [what, r] of Object.entries(faults)) {
    await t.step(`Role: ${what}`, 'POST', `${roles(ns)}?dryRun=All`, {
      body: role(ns, 'conf-sec-fault', [r]),
      pick: (b) => b.rules,
    });
    await t.step(`ClusterRole: ${what}`, 'POST', `${roles()}?dryRun=All`, {
      body: role(undefined, 'conf-sec-fault', [r]),
      pick: (b) => b.rules,
    });
  }
  await t.step('faults in two rules', 'POST', roles(ns), {
    body: role(ns, 'conf-sec-fault', [pods, {}, { verbs: ['get'] }]),
  });
  await t.step('a null rule', 'POST', `${roles(ns)}?dryRun=All`, {
    body: role(ns, 'conf-sec-fault', [null]),
  });
  await t.step('rules that are no list', 'POST', roles(ns), { body: role(ns, 'conf-sec-fault', {}) });
}

export async function clusterRoles(t) {
  const name = 'conf-sec-cr';
  const url = roles();
  await clean(t, `${url}/${name}`, `${url}/${name}:agg`, `${url}/${name}-put`);
  await t.step('create', 'POST', url, {
    body: role(undefined, name, [pods, paths(['/healthz', '/metrics/*'], ['get', 'head'])]),
  });
  await t.step('get', 'GET', `${url}/${name}`, { pick: lean });
  await t.step('as a table', 'GET', `${url}/${name}`, { headers: { accept: TABLE }, pick: cells });
  await t.step('under a namespace there are none', 'GET', `${RBAC}/namespaces/default/clusterroles`);
  await t.step('an aggregated role keeps its selectors', 'POST', url, {
    body: role(undefined, `${name}:agg`, undefined, {
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { 'conf.example.com/to-agg': 'true' } },
          { matchExpressions: [{ key: 'k', operator: 'In', values: ['b', 'a'] }] },
        ],
      },
    }),
    pick: lean,
  });
  await t.setup('PATCH', `${url}/${name}`, {
    body: { metadata: { labels: { 'conf.example.com/to-agg': 'true' } } },
    type: MERGE,
  });
  await t.sleep(300);
  await t.step('and the server alone fills nothing in', 'GET', `${url}/${name}:agg`, { pick: lean });
  await t.step('its rules may be written by hand', 'PATCH', `${url}/${name}:agg`, {
    body: { rules: [pods] },
    type: MERGE,
    pick: lean,
  });
  const agg = (clusterRoleSelectors) => ({
    body: role(undefined, `${name}:bad`, [], { aggregationRule: { clusterRoleSelectors } }),
    pick: lean,
  });
  await t.step('an aggregationRule without selectors', 'POST', `${url}?dryRun=All`, agg(undefined));
  await t.step('with an empty list of selectors', 'POST', `${url}?dryRun=All`, agg([]));
  await t.step('with an empty selector', 'POST', `${url}?dryRun=All`, agg([{}]));
  await t.step(
    'with an unknown operator',
    'POST',
    `${url}?dryRun=All`,
    agg([{ matchExpressions: [{ key: 'k', operator: 'Like', values: ['a'] }] }]),
  );
  await t.step(
    'with In of no values',
    'POST',
    `${url}?dryRun=All`,
    agg([{ matchExpressions: [{ key: 'k', operator: 'In' }] }]),
  );
  await t.step(
    'with a bad label value',
    'POST',
    `${url}?dryRun=All`,
    agg([{ matchLabels: { k: 'not a label' } }]),
  );
  await t.step('with a bad label key', 'POST', `${url}?dryRun=All`, agg([{ matchLabels: { 'a b': 'x' } }]));
  await t.step('an update of one that does not exist creates it', 'PUT', `${url}/${name}-put`, {
    body: role(undefined, `${name}-put`, []),
    pick: lean,
  });
  await t.step('list by label', 'GET', `${url}?labelSelector=conf.example.com/to-agg`, {
    pick: (b) => ({ kind: b.kind, names: names(b) }),
  });
  await t.step('a deletecollection by label', 'DELETE', `${url}?labelSelector=conf.example.com/to-agg`, {
    pick: (b) => ({ kind: b.kind, names: names(b) }),
  });
  await t.step('a dry run of delete', 'DELETE', `${url}/${name}:agg?dryRun=All`);
  await t.step('delete', 'DELETE', `${url}/${name}:agg`);
}

export async function roleBindings(t) {
  const ns = await t.namespace('conf-sec-bindings');
  const url = bindings(ns);
  await clean(t, url);
  const sa = account(ns, 'builder');
  await t.step('create, of a role that does not exist', 'POST', url, {
    body: binding(ns, 'b', 'Role/none', [user('jane'), group('devs'), sa]),
  });
  await t.step('what is filled in', 'POST', url, {
    body: {
      metadata: { name: 'defaults' },
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
    pick: lean,
  });
  await t.step('without subjects', 'POST', url, {
    body: binding(ns, 'nobody', 'Role/r', undefined),
    pick: lean,
  });
  await t.step('with subjects: []', 'POST', url, { body: binding(ns, 'nobody2', 'Role/r', []), pick: lean });
  await t.step('the same subject twice', 'POST', url, {
    body: binding(ns, 'twice', 'Role/r', [user('a'), user('a')]),
    pick: lean,
  });
  await t.step('get', 'GET', `${url}/b`, { pick: lean });
  await t.step('as a table', 'GET', `${url}/b`, { headers: { accept: TABLE }, pick: cells });
  await t.step('list', 'GET', url, { pick: (b) => ({ kind: b.kind, names: names(b) }) });
  await t.step('other subjects by merge patch', 'PATCH', `${url}/b`, {
    body: { subjects: [user('joe')] },
    type: MERGE,
    pick: lean,
  });
  await t.step('by strategic merge patch they are replaced', 'PATCH', `${url}/b`, {
    body: { subjects: [group('ops')] },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('by JSON patch', 'PATCH', `${url}/b`, {
    body: [{ op: 'add', path: '/subjects/0', value: sa }],
    type: JSON_PATCH,
    pick: lean,
  });
  await t.step('no subjects', 'PATCH', `${url}/b`, { body: { subjects: null }, type: MERGE, pick: lean });
  await t.step('roleRef: another name', 'PATCH', `${url}/b`, {
    body: { roleRef: { name: 'other' } },
    type: MERGE,
  });
  await t.step('roleRef: another kind', 'PATCH', `${url}/b`, {
    body: { roleRef: { kind: 'ClusterRole' } },
    type: MERGE,
  });
  await t.step('roleRef: another apiGroup', 'PATCH', `${url}/b`, {
    body: { roleRef: { apiGroup: 'x' } },
    type: MERGE,
  });
  await t.step('roleRef: by PUT', 'PUT', `${url}/b`, {
    body: binding(ns, 'b', 'Role/second', [user('jane')]),
  });
  await t.step('roleRef: by apply', 'PATCH', `${url}/b?fieldManager=me&force=true`, {
    body: binding(ns, 'b', 'Role/third', [user('jane')]),
    type: APPLY,
  });
  await t.step('an update of one that does not exist creates it', 'PUT', `${url}/putted`, {
    body: binding(ns, 'putted', 'Role/r', [user('jane')]),
    pick: lean,
  });
  await t.step('delete', 'DELETE', `${url}/b`);
  await t.step('deletecollection', 'DELETE', url, { pick: (b) => ({ kind: b.kind, names: names(b) }) });
}

export async function bindingFaults(t) {
  const ns = await t.namespace('conf-sec-bindfaults');
  const refs = {
    'no roleRef': undefined,
    'an empty roleRef': {},
    'no kind': { name: 'r' },
    'no name': { kind: 'ClusterRole' },
    'an unknown kind': { kind: 'Widget', name: 'r' },
    'a Role': { kind: 'Role', name: 'r' },
    'another apiGroup': { apiGroup: 'example.com', kind: 'ClusterRole', name: 'r' },
    'an empty apiGroup': { apiGroup: '', kind: 'ClusterRole', name: 'r' },
    'a bad name': { kind: 'ClusterRole', name: 'a/b' },
    'a name with a colon': { kind: 'ClusterRole', name: 'a:b' },
  };
  const subjects = {
    'no kind': { name: 'u' },
    'an unknown kind': { kind: 'Robot', name: 'u' },
    'a user without name': { kind: 'User' },
    'a user of another apiGroup': { kind: 'User', apiGroup: 'example.com', name: 'u' },
    'a user with a namespace': { kind: 'User', name: 'u', namespace: 'n' },
    'a group with an empty name': { kind: 'Group', name: '' },
    'a group of another apiGroup': { kind: 'Group', apiGroup: 'example.com', name: 'g' },
    'a service account without namespace': { kind: 'ServiceAccount', name: 's' },
    'a service account with a bad name': { kind: 'ServiceAccount', name: 'Not A Name', namespace: 'n' },
    'a service account of an apiGroup': {
      kind: 'ServiceAccount',
      apiGroup: 'rbac.authorization.k8s.io',
      name: 's',
      namespace: 'n',
    },
    'a service account without name': { kind: 'ServiceAccount', namespace: 'n' },
    'a user with a star': { kind: 'User', name: '*' },
  };
  for (const scope of [ns, undefined]) {
    const kind = scope ? 'RoleBinding' : 'ClusterRoleBinding';
    const url = `${bindings(scope)}?dryRun=All`;
    for (const [what, roleRef] of Object.entries(refs))
      await t.step(`${kind}: roleRef: ${what}`, 'POST', url, {
        body: { metadata: { name: 'conf-sec-x' }, roleRef, subjects: [user('u')] },
        pick: (b) => b.roleRef,
      });
    for (const [what, s] of Object.entries(subjects))
      await t.step(`${kind}: subject: ${what}`, 'POST', url, {
        body: binding(scope, 'conf-sec-x', 'ClusterRole/view', [s]),
        pick: (b) => b.subjects,
      });
  }
  await t.step('faults in several places', 'POST', bindings(ns), {
    body: {
      metadata: { name: 'x' },
      roleRef: { kind: 'Thing' },
      subjects: [user('ok'), { kind: 'User' }, { kind: 'ServiceAccount' }],
    },
  });
}

export async function clusterRoleBindings(t) {
  const url = bindings();
  await clean(t, `${url}/conf-sec-crb`, `${url}/conf-sec-crb2`);
  await t.step('create', 'POST', url, {
    body: binding(undefined, 'conf-sec-crb', 'ClusterRole/none', [user('jane'), account('default', 'x')]),
  });
  await t.step('what is filled in', 'POST', url, {
    body: {
      metadata: { name: 'conf-sec-crb2' },
      roleRef: { kind: 'ClusterRole', name: 'none' },
      subjects: [{ kind: 'Group', name: 'g' }],
    },
    pick: lean,
  });
  await t.step('get', 'GET', `${url}/conf-sec-crb`, { pick: lean });
  await t.step('as a table', 'GET', `${url}/conf-sec-crb`, { headers: { accept: TABLE }, pick: cells });
  await t.step('roleRef cannot be changed', 'PATCH', `${url}/conf-sec-crb`, {
    body: { roleRef: { name: 'view' } },
    type: MERGE,
  });
  await t.step('subjects can', 'PATCH', `${url}/conf-sec-crb`, {
    body: { subjects: [group('g')] },
    type: MERGE,
    pick: lean,
  });
  await t.step('a RoleBinding here', 'POST', url, {
    body: binding('x', 'conf-sec-crb3', 'ClusterRole/none', []),
  });
  await t.step('delete', 'DELETE', `${url}/conf-sec-crb`);
  await t.step('the old versions are gone', 'GET', '/apis/rbac.authorization.k8s.io/v1beta1');
  await t.step('discovery', 'GET', RBAC);
}
