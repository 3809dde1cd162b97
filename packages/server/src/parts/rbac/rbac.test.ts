// RBAC in a whole server, over HTTP: what users may do, what they may grant, and what a start changes.
import { openStore } from '@instar/store';
import { eventually } from '@instar/testing';
import { EmbeddedApi, type HttpMethod } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GROUP = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${GROUP}/namespaces/default/roles`;
const BINDINGS = `${GROUP}/namespaces/default/rolebindings`;
const MAPS = '/api/v1/namespaces/default/configmaps';
const API_GROUP = 'rbac.authorization.k8s.io';

let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

const as = (user: string, method: HttpMethod, path: string, body?: unknown) =>
  api.send(method, path, body, { 'impersonate-user': user });
const rule = (resources: string[], verbs: string[], apiGroups = ['']) => ({ apiGroups, resources, verbs });

/** A role and a binding in the namespace default, and its user. */
async function userWith(name: string, rules: object[], isCluster = false): Promise<string> {
  const role = { metadata: { name }, rules };
  const binding = {
    metadata: { name },
    subjects: [{ kind: 'User', apiGroup: API_GROUP, name }],
    roleRef: { apiGroup: API_GROUP, kind: isCluster ? 'ClusterRole' : 'Role', name },
  };
  const created = [
    await api.send('POST', isCluster ? `${GROUP}/clusterroles` : ROLES, role),
    await api.send('POST', isCluster ? `${GROUP}/clusterrolebindings` : BINDINGS, binding),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
  return name;
}

describe('a request', () => {
  it('is allowed as soon as the binding is answered', async () => {
    const user = await userWith('reader', [rule(['configmaps'], ['list'])]);
    expect((await as(user, 'GET', MAPS)).status).toBe(200);
  });

  it('is refused by the name of the resource and its namespace', async () => {
    const { status, body } = await as('nobody', 'GET', `${MAPS}/x`);
    expect([status, body.message, body.details]).toEqual([
      403,
      'configmaps "x" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "default"',
      { name: 'x', kind: 'configmaps' },
    ]);
  });

  it('by a PUT that creates needs permission to create', async () => {
    const user = await userWith('updater', [rule(['leases'], ['update', 'get'], ['coordination.k8s.io'])]);
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/x';
    const lease = { metadata: { name: 'x' }, spec: {} };
    expect((await as(user, 'PUT', path, lease)).body.message).toBe(
      'leases.coordination.k8s.io "x" is forbidden: User "updater" cannot create resource "leases" in API group ' +
        '"coordination.k8s.io" in the namespace "default"',
    );
  });

  it('without a credential may read health and nothing else', async () => {
    const anonymous = (path: string) => api.send('GET', path, undefined, { authorization: '' });
    expect((await anonymous('/readyz')).status).toBe(200);
    expect((await anonymous('/api')).body.message).toBe(
      'forbidden: User "system:anonymous" cannot get path "/api"',
    );
  });
});

describe('who may write roles', () => {
  const manage = rule(['roles', 'rolebindings'], ['create'], [API_GROUP]);

  it('cannot grant what they do not have', async () => {
    const user = await userWith('manager', [manage, rule(['configmaps'], ['get'])]);
    const role = { metadata: { name: 'more' }, rules: [rule(['configmaps'], ['get', 'list'])] };
    expect((await as(user, 'POST', ROLES, role)).body.message).toBe(
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "manager" (groups=["system:authenticated"]) is ' +
        'attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
    );
  });

  it('can grant what they have', async () => {
    const user = await userWith('giver', [manage, rule(['configmaps'], ['get'])]);
    const role = { metadata: { name: 'same' }, rules: [rule(['configmaps'], ['get'])] };
    expect((await as(user, 'POST', ROLES, role)).status).toBe(201);
  });

  it('can grant anything if they may escalate', async () => {
    const user = await userWith('climber', [rule(['roles'], ['create', 'escalate'], [API_GROUP])]);
    const role = { metadata: { name: 'all' }, rules: [rule(['*'], ['*'], ['*'])] };
    expect((await as(user, 'POST', ROLES, role)).status).toBe(201);
  });

  it('cannot bind a cluster role that is more than they have', async () => {
    const user = await userWith('binder', [manage]);
    const roleRef = { apiGroup: API_GROUP, kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = { metadata: { name: 'x' }, subjects: [], roleRef };
    const { status, body } = await as(user, 'POST', BINDINGS, binding);
    expect(status).toBe(403);
    expect(body.message).toContain('{APIGroups:["*"], Resources:["*"], Verbs:["*"]}');
  });

  it('can bind the role that they may bind', async () => {
    const bind = { ...rule(['clusterroles'], ['bind'], [API_GROUP]), resourceNames: ['cluster-admin'] };
    const user = await userWith('chosen', [rule(['rolebindings'], ['create'], [API_GROUP]), bind]);
    const roleRef = { apiGroup: API_GROUP, kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = { metadata: { name: 'bound' }, subjects: [], roleRef };
    expect((await as(user, 'POST', BINDINGS, binding)).status).toBe(201);
  });

  it('cannot make a role that aggregates others', async () => {
    const user = await userWith('gatherer', [rule(['clusterroles'], ['create'], [API_GROUP])], true);
    const role = {
      metadata: { name: 'gathers' },
      rules: [],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    };
    expect((await as(user, 'POST', `${GROUP}/clusterroles`, role)).body.message).toBe(
      'clusterroles.rbac.authorization.k8s.io "gathers" is forbidden: must have cluster-admin privileges to use ' +
        'the aggregationRule',
    );
  });
});

describe('aggregation', () => {
  const rulesOf = async (name: string): Promise<unknown[]> =>
    (await api.send('GET', `${GROUP}/clusterroles/${name}`)).body.rules ?? [];

  it('takes the rules of the roles that the selectors choose, and follows them', async () => {
    const labels = { team: 'blue' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await api.send('POST', `${GROUP}/clusterroles`, {
      metadata: { name: 'sum' },
      aggregationRule,
      rules: [],
    });
    const part = { metadata: { name: 'part', labels }, rules: [rule(['a'], ['get'])] };
    await api.send('POST', `${GROUP}/clusterroles`, part);
    await eventually('the rule', async () => (await rulesOf('sum')).length === 1);
    await api.send('DELETE', `${GROUP}/clusterroles/part`);
    await eventually('no rule', async () => (await rulesOf('sum')).length === 0);
  });

  it('gives view what system:aggregate-to-view has, and not secrets', async () => {
    await eventually('rules', async () => (await rulesOf('view')).length > 0);
    expect(JSON.stringify(await rulesOf('view'))).not.toContain('secrets');
  });
});

describe('a start', () => {
  async function startAgain(change: (api: EmbeddedApi) => Promise<unknown>): Promise<EmbeddedApi> {
    const store = await openStore('memory:');
    const first = await EmbeddedApi.start({ storage: keptOpen(store) });
    await change(first);
    await first.close();
    return EmbeddedApi.start({ storage: store });
  }
  // The server closes its store; the next one uses it again.
  const keptOpen = (store: Awaited<ReturnType<typeof openStore>>) =>
    new Proxy(store, {
      get: (target, name) => {
        if (name === 'close') return async () => {};
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

  it('restores what is missing of a bootstrap role and keeps what was added', async () => {
    const path = `${GROUP}/clusterroles/system:basic-user`;
    const added = rule(['extras'], ['get']);
    const again = await startAgain((first) => first.send('PATCH', path, { rules: [added] }));
    const { body } = await again.send('GET', path);
    expect(body.rules[0]).toEqual(added);
    expect(body.rules.length).toBeGreaterThan(1);
    await again.close();
  });
});
