// Detours to what a user may not do: subresources, proxies, selectors, aggregation, bindings, writes that
// create, other identities, and paths that two readers could understand differently.
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { AT_CLUSTER, cannot, GROUP, RBAC, RestrictedUser } from './restricted-user.ts';

const user = new RestrictedUser(
  [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'update', 'patch'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['mine'],
      verbs: ['get', 'list', 'watch', 'delete', 'deletecollection'],
    },
    {
      apiGroups: [''],
      resources: ['pods', 'services', 'serviceaccounts'],
      verbs: ['get', 'list', 'create', 'update', 'patch'],
    },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update', 'patch'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create', 'update', 'patch'] },
    { apiGroups: [GROUP], resources: ['rolebindings'], verbs: ['create', 'update', 'patch', 'get'] },
  ],
  [
    { apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['create', 'update', 'patch', 'get', 'list'] },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'update', 'get'],
    },
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['users'], resourceNames: ['bob'], verbs: ['impersonate'] },
    { nonResourceURLs: ['/logs'], verbs: ['get'] },
  ],
);
const NAMESPACE = '/api/v1/namespaces/default';
const DEFAULT = 'in the namespace \\"default\\"';

type Attempt = [what: string, method: string, path: string, status: number, text: string, body?: unknown];

async function check([, method, path, status, text, body]: Attempt, headers = {}): Promise<void> {
  const answer = await user.send(method, path, headers, body);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
}

describe('subresources need a permission of their own', () => {
  it.each<Attempt>([
    ['status', 'PUT', `${NAMESPACE}/pods/p/status`, 403, cannot('update', 'pods/status'), {}],
    [
      'status by patch',
      'PATCH',
      `${NAMESPACE}/services/s/status`,
      403,
      cannot('patch', 'services/status'),
      {},
    ],
    [
      'scale',
      'PUT',
      '/apis/apps/v1/namespaces/default/deployments/d/scale',
      403,
      cannot('update', 'deployments/scale', DEFAULT, 'apps'),
      {},
    ],
    [
      'the token of a service account',
      'POST',
      `${NAMESPACE}/serviceaccounts/default/token`,
      403,
      cannot('create', 'serviceaccounts/token'),
      {},
    ],
    ['binding', 'POST', `${NAMESPACE}/pods/p/binding`, 403, cannot('create', 'pods/binding'), {}],
    ['the older binding', 'POST', `${NAMESPACE}/bindings`, 403, cannot('create', 'bindings'), {}],
    ['eviction', 'POST', `${NAMESPACE}/pods/p/eviction`, 403, cannot('create', 'pods/eviction'), {}],
    ['exec', 'GET', `${NAMESPACE}/pods/p/exec?command=sh`, 403, cannot('get', 'pods/exec')],
    ['logs', 'GET', `${NAMESPACE}/pods/p/log`, 403, cannot('get', 'pods/log')],
    [
      'ephemeral containers',
      'PATCH',
      `${NAMESPACE}/pods/p/ephemeralcontainers`,
      403,
      cannot('patch', 'pods/ephemeralcontainers'),
      {},
    ],
    [
      'finalize',
      'PUT',
      '/api/v1/namespaces/default/finalize',
      403,
      cannot('update', 'namespaces/finalize'),
      {},
    ],
    [
      'approval',
      'PUT',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/c/approval',
      403,
      cannot('update', 'certificatesigningrequests/approval', AT_CLUSTER, 'certificates.k8s.io'),
      {},
    ],
    [
      'a subresource that does not exist',
      'GET',
      `${NAMESPACE}/configmaps/x/magic`,
      403,
      cannot('get', 'configmaps/magic'),
    ],
  ])('%s', (...attempt) => check(attempt));
});

describe('proxies need a permission of their own', () => {
  it.each<Attempt>([
    ['a service', 'GET', `${NAMESPACE}/services/s/proxy/admin`, 403, cannot('get', 'services/proxy')],
    [
      'a service with a port',
      'GET',
      `${NAMESPACE}/services/https:s:443/proxy/`,
      403,
      cannot('get', 'services/proxy'),
    ],
    ['a pod', 'POST', `${NAMESPACE}/pods/p/proxy/run`, 403, cannot('create', 'pods/proxy'), {}],
    ['a node', 'GET', '/api/v1/nodes/n/proxy/logs/', 403, cannot('get', 'nodes/proxy', AT_CLUSTER)],
    [
      'another path behind the proxy',
      'GET',
      `${NAMESPACE}/services/s/proxy/../../../configmaps`,
      403,
      cannot('get', 'services/proxy'),
    ],
  ])('%s', (...attempt) => check(attempt));
});

describe('selectors do not widen a permission for one name', () => {
  const secrets = `${NAMESPACE}/secrets`;
  it.each<Attempt>([
    [
      'another name',
      'GET',
      `${secrets}?watch=1&fieldSelector=metadata.name%3Dother`,
      403,
      cannot('watch', 'secrets'),
    ],
    ['not a name', 'GET', `${secrets}?fieldSelector=metadata.name!%3Dother`, 403, cannot('list', 'secrets')],
    ['an empty name', 'GET', `${secrets}?fieldSelector=metadata.name%3D`, 403, cannot('list', 'secrets')],
    [
      'a namespace',
      'GET',
      `${secrets}?fieldSelector=metadata.namespace%3Ddefault`,
      403,
      cannot('list', 'secrets'),
    ],
    ['a label', 'GET', `${secrets}?labelSelector=name%3Dmine`, 403, cannot('list', 'secrets')],
    [
      'all namespaces',
      'GET',
      '/api/v1/secrets?fieldSelector=metadata.name%3Dmine',
      403,
      cannot('list', 'secrets', AT_CLUSTER),
    ],
    ['deletion of all', 'DELETE', secrets, 403, cannot('deletecollection', 'secrets')],
    [
      'deletion of another',
      'DELETE',
      `${secrets}?fieldSelector=metadata.name%3Dother`,
      403,
      cannot('deletecollection', 'secrets'),
    ],
    ['a watch parameter twice', 'GET', `${secrets}?watch=0&watch=1`, 403, 'cannot'],
    [
      'a namespace as a parameter',
      'GET',
      `${NAMESPACE}/secrets/mine/../other?namespace=kube-system`,
      403,
      'cannot',
    ],
  ])('%s', (...attempt) => check(attempt));

  it.each(['as=Table;v=v1;g=meta.k8s.io', 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'])(
    'nor does another form: %s',
    (form) =>
      check(['', 'GET', secrets, 403, cannot('list', 'secrets')], { accept: `application/json;${form}` }),
  );
});

describe('grants', () => {
  const HELD = 'attempting to grant RBAC permissions not currently held';
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const roles = `${RBAC}/clusterroles`;
  const label = (role: string) => ({ [`${GROUP}/aggregate-to-${role}`]: 'true' });
  const binding = (subject: object, kind: string, name: string) => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'grab' },
    subjects: [subject],
    roleRef: { apiGroup: GROUP, kind, name },
  });
  const bindings = `${RBAC}/namespaces/default/rolebindings`;
  const itself = { kind: 'User', apiGroup: GROUP, name: 'mallory' };

  it.each<Attempt>([
    [
      'by aggregation',
      'POST',
      roles,
      403,
      'must have cluster-admin privileges to use the aggregationRule',
      {
        metadata: { name: 'a' },
        rules: [],
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: label('admin') }] },
      },
    ],
    [
      'into a role that aggregates',
      'POST',
      roles,
      403,
      HELD,
      { metadata: { name: 'b', labels: label('view') }, rules: everything },
    ],
    [
      'of paths',
      'POST',
      roles,
      403,
      HELD,
      { metadata: { name: 'c' }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
    ],
    [
      'of escalation itself',
      'POST',
      roles,
      403,
      HELD,
      {
        metadata: { name: 'd' },
        rules: [{ apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['escalate'] }],
      },
    ],
    [
      'of impersonation',
      'POST',
      roles,
      403,
      HELD,
      { metadata: { name: 'e' }, rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }] },
    ],
    [
      'for any name of what is held for one',
      'POST',
      roles,
      403,
      HELD,
      {
        metadata: { name: 'f' },
        rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: [] }],
      },
    ],
    ['in a binding', 'POST', bindings, 403, HELD, binding(itself, 'ClusterRole', 'admin')],
    [
      'in a binding of a service account',
      'POST',
      bindings,
      403,
      HELD,
      binding({ kind: 'ServiceAccount', namespace: 'default', name: 'default' }, 'ClusterRole', 'edit'),
    ],
    ['in a binding by PUT', 'PUT', `${bindings}/grab`, 403, HELD, binding(itself, 'ClusterRole', 'admin')],
    [
      'in a binding to a role that does not exist yet',
      'POST',
      bindings,
      404,
      'not found',
      binding(itself, 'ClusterRole', 'later'),
    ],
    [
      'by deleting a binding',
      'DELETE',
      `${bindings}/mallory`,
      403,
      cannot('delete', 'rolebindings', DEFAULT, GROUP),
    ],
    [
      'in a binding of the cluster by PUT',
      'PUT',
      `${RBAC}/clusterrolebindings/grab`,
      403,
      cannot('update', 'clusterrolebindings', AT_CLUSTER, GROUP),
      {},
    ],
  ])('%s', (...attempt) => check(attempt));

  it('in a binding by apply', () =>
    check(
      ['', 'PATCH', `${bindings}/grab?fieldManager=m`, 403, HELD, binding(itself, 'ClusterRole', 'admin')],
      {
        'content-type': 'application/apply-patch+yaml',
      },
    ));
});

describe('writes that would create', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };

  it('by PUT', () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'new' } };
    const refusal = cannot('create', 'leases', DEFAULT, 'coordination.k8s.io');
    return check(['', 'PUT', `${leases}/new`, 403, refusal, lease]);
  });

  it('by PUT of a kind that cannot be created so', () =>
    check(['', 'PUT', `${NAMESPACE}/configmaps/new`, 404, 'not found', map]));

  it('by apply', () =>
    check(
      ['', 'PATCH', `${NAMESPACE}/configmaps/new?fieldManager=m`, 403, cannot('create', 'configmaps'), map],
      {
        'content-type': 'application/apply-patch+yaml',
      },
    ));

  it('of another name than that of the path', async () => {
    await user.create(`${NAMESPACE}/configmaps`, { metadata: { name: 'there' } });
    await check(['', 'PUT', `${NAMESPACE}/configmaps/there`, 400, 'does not match', map]);
  });
});

describe('other identities', () => {
  it.each<[string, Record<string, string | string[]>, string]>([
    [
      'a group beside a user',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' },
      'cannot impersonate',
    ],
    [
      'two groups',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['dev', 'system:nodes'] },
      'cannot impersonate',
    ],
    ['a uid', { 'Impersonate-User': 'bob', 'Impersonate-Uid': '7' }, 'cannot impersonate'],
    ['extra values', { 'Impersonate-User': 'bob', 'Impersonate-Extra-scopes': 'all' }, 'cannot impersonate'],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:kube-system:default' },
      'cannot impersonate',
    ],
    ['a node', { 'Impersonate-User': 'system:node:a' }, 'cannot impersonate'],
    ['the admin', { 'Impersonate-User': 'admin' }, 'cannot impersonate'],
    ['two users', { 'Impersonate-User': ['bob', 'admin'] }, 'cannot'],
    ['a user of another case', { 'Impersonate-User': 'BOB' }, 'cannot impersonate'],
  ])('%s', (_, headers, text) => check(['', 'GET', `${NAMESPACE}/configmaps`, 403, text], headers));

  it('of the user that may be impersonated have only the rights of that user', () =>
    check(['', 'GET', `${NAMESPACE}/configmaps`, 403, 'User \\"bob\\" cannot list'], {
      'Impersonate-User': 'bob',
    }));
});

describe('paths', () => {
  it.each<[string, string, number, string]>([
    ['escaped dots', `${NAMESPACE}/configmaps/%2e%2e/secrets`, 403, 'cannot'],
    ['dots twice escaped', `${NAMESPACE}/configmaps/%252e%252e/secrets`, 403, 'cannot'],
    ['a single dot', `${NAMESPACE}/./secrets`, 403, 'cannot'],
    ['a doubled slash', `${NAMESPACE}//secrets`, 403, 'cannot'],
    ['a backslash', `${NAMESPACE}/configmaps%5c..%5csecrets`, 403, 'cannot'],
    ['a null byte', `${NAMESPACE}/secrets/mine%00other`, 403, 'cannot'],
    ['a semicolon', `${NAMESPACE}/secrets;a=b`, 403, 'cannot'],
    ['an escaped letter', `${NAMESPACE}/%73ecrets`, 403, cannot('list', 'secrets')],
    ['an escaped question mark', `${NAMESPACE}/secrets/other%3fx`, 403, cannot('get', 'secrets')],
    ['the case of the root', '/API/v1/namespaces/default/secrets', 403, 'cannot get path'],
    ['a broken escape', `${NAMESPACE}/secrets%zz`, 400, ''],
    ['below an open path', '/logs/../metrics', 403, 'cannot get path'],
    ['beside an open path', '/logsx', 403, 'cannot get path'],
    ['another case of a path', '/Metrics', 403, 'cannot get path'],
    ['dumps', '/debug/api_priority_and_fairness/dump_priority_levels', 403, 'cannot get path'],
  ])('%s', (_, path, status, text) => check(['', 'GET', path, status, text]));
});

describe('requests that two readers could take apart differently', () => {
  /** Writes bytes to a connection of its own and returns what comes back. */
  function exchange(lines: readonly string[]): Promise<string> {
    const { hostname, port } = new URL(user.api.server.url);
    return new Promise((resolve, reject) => {
      const socket = connect({
        host: hostname,
        port: Number(port),
        ca: user.api.server.caCertificate,
        ALPNProtocols: ['http/1.1'],
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.write(lines.join('\r\n'));
    });
  }
  const head = (method: string, path: string, ...more: string[]): string[] => [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'authorization: Bearer mallory-token',
    'connection: close',
    ...more,
    '',
    '',
  ];
  const smuggled = `GET ${NAMESPACE}/secrets HTTP/1.1\r\nhost: localhost\r\n\r\n`;

  it.each<[string, string[]]>([
    ['a length beside chunks', ['content-length: 4', 'transfer-encoding: chunked']],
    ['two lengths', ['content-length: 4', 'content-length: 5']],
    ['a length that is no number', ['content-length: +4']],
    ['a header without a name', [': x']],
    ['a space before the colon', ['impersonate-user : root']],
    ['a line that is continued', ['x-a: b', ' impersonate-user: root']],
  ])('%s', async (_, more) => {
    const text = await exchange([...head('POST', `${NAMESPACE}/configmaps`, ...more), smuggled]);
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).not.toContain('HTTP/1.1 200');
  });

  it('two credentials', async () => {
    const text = await exchange(
      head('GET', `${NAMESPACE}/secrets`, `authorization: Bearer ${user.api.server.adminToken}`),
    );
    expect(text).toMatch(/^HTTP\/1.1 40[013] /);
  });

  it('a header with underscores', async () => {
    const text = await exchange(head('GET', `${NAMESPACE}/secrets`, 'impersonate_user: root'));
    expect(text).toContain('cannot list resource');
  });
});

describe('anonymous users', () => {
  const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  it.each(['/api', '/apis'])('do not get the aggregated discovery of %s', async (path) => {
    const answer = await user.send('GET', path, { authorization: '', accept: AGGREGATED });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('system:anonymous')]);
  });

  it.each(['/openapi/v3', '/apis/apps/v1', '/metrics', '/readyz/etcd/'])('do not get %s', async (path) => {
    expect((await user.send('GET', path, { authorization: '' })).status).toBe(403);
  });
});
