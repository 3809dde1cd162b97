// Nodes, service accounts, priority and runtime classes, and what they do to pods.
import { MERGE, names, owned, podSpec, STRATEGIC, scene, settle, TABLE, table } from './helpers/kinds.mjs';

export async function nodes(t) {
  const n = await scene(t, 'v1', 'Node', 'nodes', undefined, 'conf-kinds-');
  await n.create('a node without a spec gets a taint', n.make('conf-kinds-a'), (b) => b);
  await n.create(
    'a full one',
    n.make(
      'conf-kinds-b',
      {
        spec: {
          podCIDR: '10.244.0.0/24',
          podCIDRs: ['10.244.0.0/24'],
          providerID: 'example://b',
          unschedulable: true,
          taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }],
        },
        status: {
          capacity: { cpu: '4', memory: '8Gi', pods: '110' },
          allocatable: { cpu: '3900m' },
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
          nodeInfo: { kubeletVersion: 'v1' },
        },
      },
      { labels: { 'kubernetes.io/hostname': 'b', 'node-role.kubernetes.io/worker': '' } },
    ),
  );
  await n.tries([
    ['a bad name', n.make('Not_one')],
    ['a taint without an effect', n.make('conf-kinds-f', { spec: { taints: [{ key: 'k' }] } })],
    ['an unknown effect', n.make('conf-kinds-f', { spec: { taints: [{ key: 'k', effect: 'Never' }] } })],
    ['a taint without a key', n.make('conf-kinds-f', { spec: { taints: [{ effect: 'NoSchedule' }] } })],
    [
      'a taint twice',
      n.make('conf-kinds-f', {
        spec: {
          taints: [
            { key: 'k', effect: 'NoSchedule', value: '1' },
            { key: 'k', effect: 'NoSchedule', value: '2' },
          ],
        },
      }),
    ],
    ['a bad pod range', n.make('conf-kinds-f', { spec: { podCIDR: 'x' } })],
    [
      'pod ranges that differ',
      n.make('conf-kinds-f', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] } }),
    ],
    ['an unknown field', n.make('conf-kinds-f', { spec: { cidr: 'x' } })],
  ]);
  await n.changes(
    'conf-kinds-a',
    [
      ['a pod range may be set', { spec: { podCIDR: '10.244.1.0/24' } }],
      ['unschedulable', { spec: { unschedulable: true } }],
      [
        'taints by strategic merge are replaced',
        { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } },
        STRATEGIC,
      ],
      ['a taint by merge patch replaces', { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } }],
      ['no taints at all', { spec: { taints: null } }],
      ['labels', { metadata: { labels: { a: 'b' } } }],
    ],
    { pick: (b) => [b.metadata.labels, b.spec] },
  );
  await n.changes('conf-kinds-b', [
    ['the pod range is immutable', { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } }],
    ['the provider id is immutable', { spec: { providerID: 'example://c' } }],
  ]);
  await n.patch(
    'conditions by their type',
    'conf-kinds-b',
    {
      status: {
        conditions: [
          { type: 'DiskPressure', status: 'False' },
          { type: 'Ready', status: 'False', reason: 'R' },
        ],
      },
    },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await n.patch(
    'addresses by their type',
    'conf-kinds-b',
    {
      status: {
        addresses: [
          { type: 'Hostname', address: 'b' },
          { type: 'InternalIP', address: '127.0.0.2' },
        ],
      },
    },
    { sub: 'status', pick: (b) => b.status.addresses },
  );
  await n.patch(
    'a spec there is ignored',
    'conf-kinds-b',
    { spec: { unschedulable: false }, status: { capacity: { cpu: '8' } } },
    { sub: 'status', type: MERGE, pick: (b) => [b.spec.unschedulable, b.status.capacity] },
  );
  await n.patch(
    'a status through the node itself',
    'conf-kinds-b',
    { status: { capacity: { cpu: '99' } } },
    { type: MERGE, pick: (b) => b.status.capacity },
  );
  await n.patch(
    'a bad quantity',
    'conf-kinds-b',
    { status: { capacity: { cpu: 'x' } } },
    { sub: 'status', type: MERGE },
  );
  await n.list('by unschedulable', '?fieldSelector=spec.unschedulable%3Dtrue', (b) =>
    names(b).filter((x) => x.startsWith('conf-kinds-')),
  );
  await n.list('by label', '?labelSelector=node-role.kubernetes.io/worker', (b) =>
    names(b).filter((x) => x.startsWith('conf-kinds-')),
  );
  await n.list('by an unknown field', '?fieldSelector=status.phase%3Dx');
  await t.step('as a table', 'GET', n.at('conf-kinds-b'), { headers: TABLE, pick: table });
  await n.apply(
    'a taint by apply',
    'conf-kinds-a',
    'alpha',
    n.make('conf-kinds-a', { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] }, metadata: undefined }),
    { pick: owned },
  );
  await n.apply(
    'a label by apply',
    'conf-kinds-a',
    'alpha',
    n.make('conf-kinds-a', {}, { labels: { a: 'b' } }),
    { pick: owned },
  );
  await n.remove('delete', 'conf-kinds-a');
}

export async function serviceAccounts(t) {
  const s = await scene(t, 'v1', 'ServiceAccount', 'serviceaccounts', 'conf-kinds-sa');
  const request = (rest = {}) => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: rest,
  });
  const shown = (b) => ({
    kind: b.kind,
    apiVersion: b.apiVersion,
    name: b.metadata?.name,
    spec: b.spec,
    parts: b.status?.token?.split('.').length,
    expires: Boolean(b.status?.expirationTimestamp),
  });
  await s.create('an account', s.make('a'), (b) => b);
  await s.create(
    'with secrets',
    s.make('b', {
      secrets: [{ name: 's' }],
      imagePullSecrets: [{ name: 'p' }],
      automountServiceAccountToken: false,
    }),
  );
  await s.create('a bad name', s.make('Not_one'));
  await s.create('an unknown field', s.make('c', { tokens: [] }));
  await s.patch('strategic: secrets by name, pull secrets whole', 'b', {
    secrets: [{ name: 't' }],
    imagePullSecrets: [{ name: 'q' }],
  });
  await s.patch(
    'a $patch in a list without a key is no directive',
    'b',
    { imagePullSecrets: [{ name: 'p', $patch: 'delete' }] },
    { pick: (b) => b.imagePullSecrets },
  );
  await s.patch('merge', 'b', { imagePullSecrets: null }, { type: MERGE });
  await s.table('as a table');
  const token = (label, n, body, query = '') =>
    t.step(label, 'POST', `${s.at(n, 'token')}${query}`, { body, pick: shown });
  await token('a token', 'a', request({ audiences: ['x'], expirationSeconds: 600 }));
  await token('a token with the defaults', 'a', request(), '?dryRun=All');
  await token('a token that lives too short', 'a', request({ expirationSeconds: 1 }));
  await token('a token that lives too long', 'a', request({ expirationSeconds: 2 ** 33 }));
  await token(
    'a token bound to a pod that does not exist',
    'a',
    request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } }),
  );
  await token(
    'a token bound to another kind',
    'a',
    request({ boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'm' } }),
  );
  await token('a token of an account that does not exist', 'none', request());
  await t.step('get of the token', 'GET', s.at('a', 'token'));
  const issued = await t.setup('POST', s.at('a', 'token'), { body: request({ expirationSeconds: 600 }) });
  await t.step('who the token is', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    headers: { authorization: `Bearer ${issued.status?.token}` },
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    pick: (b) => ({ username: b.status.userInfo.username, groups: b.status.userInfo.groups }),
  });
  await t.step('what it may not do', 'GET', `/api/v1/namespaces/${s.ns}/pods`, {
    headers: { authorization: `Bearer ${issued.status?.token}` },
  });
  await s.apply('apply', 'x', 'alpha', s.make('x', { imagePullSecrets: [{ name: 'p' }] }), { pick: owned });
  await s.apply(
    'another pull secret by another manager',
    'x',
    'beta',
    s.make('x', { imagePullSecrets: [{ name: 'q' }] }),
    { pick: owned },
  );
  await s.remove('delete', 'a');
  await t.step('deletecollection', 'DELETE', s.all, { pick: (b) => [b.kind, names(b)] });
}

export async function priorityClasses(t) {
  const c = await scene(
    t,
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    undefined,
    'conf-kinds-',
  );
  const p = await scene(t, 'v1', 'Pod', 'pods', 'conf-kinds-priority');
  const rest = ({ apiVersion, kind, metadata, ...r }) => r;
  await c.create('a class', c.make('conf-kinds-high', { value: 1000, description: 'high' }), (b) => b);
  await c.create('without a value', c.make('conf-kinds-zero'));
  await c.create('that never preempts', c.make('conf-kinds-never', { value: -5, preemptionPolicy: 'Never' }));
  await c.tries(
    [
      ['too high a value', c.make('conf-kinds-f', { value: 1000000001 })],
      ['the prefix system-', c.make('system-conf', { value: 1 })],
      ['an unknown preemption policy', c.make('conf-kinds-f', { value: 1, preemptionPolicy: 'Ask' })],
      ['a value in a string', c.make('conf-kinds-f', { value: '1' })],
    ],
    rest,
  );
  await c.changes(
    'conf-kinds-high',
    [
      ['the value is immutable', { value: 5 }],
      ['so is the preemption policy', { preemptionPolicy: 'Never' }],
      ['the description is not', { description: 'x' }],
    ],
    { pick: rest },
  );
  await t.step('those of the system', 'GET', c.all, {
    pick: (b) => b.items.filter((i) => i.metadata.name.startsWith('system-')).map(rest),
  });
  await t.step('as a table', 'GET', c.at('conf-kinds-high'), { headers: TABLE, pick: table });
  const pod = (priorityClassName, more = {}) =>
    p.make('p', { spec: podSpec({ priorityClassName, ...more }) });
  const shown = (b) => [b.spec.priority, b.spec.priorityClassName, b.spec.preemptionPolicy];
  await settle(
    t,
    'the class to be seen',
    async () =>
      (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod('conf-kinds-never') })).status ===
      201,
  );
  await p.tries(
    [
      ['a pod gets its priority', pod('conf-kinds-high')],
      ['and its preemption policy', pod('conf-kinds-never')],
      ['a priority that agrees', pod('conf-kinds-high', { priority: 1000 })],
      ['a priority that does not', pod('conf-kinds-high', { priority: 1 })],
      [
        'a preemption policy that does not',
        pod('conf-kinds-never', { preemptionPolicy: 'PreemptLowerPriority' }),
      ],
    ],
    shown,
  );
  await c.create('a global default', c.make('conf-kinds-default', { value: 7, globalDefault: true }));
  await settle(
    t,
    'the default to be seen',
    async () =>
      (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod(undefined) })).body.spec.priority ===
      7,
  );
  await p.tries([['a pod without a class gets the default', pod(undefined)]], shown);
  await c.create('a second default', c.make('conf-kinds-default2', { value: 8, globalDefault: true }));
  await c.remove('delete', 'conf-kinds-default');
  await settle(
    t,
    'the default to be forgotten',
    async () =>
      (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod(undefined) })).body.spec.priority ===
      0,
  );
  await t.step('delete of a system class', 'DELETE', `${c.at('system-node-critical')}?dryRun=All`);
}

export async function runtimeClasses(t) {
  const c = await scene(t, 'node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', undefined, 'conf-kinds-');
  const p = await scene(t, 'v1', 'Pod', 'pods', 'conf-kinds-runtime');
  const rest = ({ apiVersion, kind, metadata, ...r }) => r;
  await c.create('a class', c.make('conf-kinds-a', { handler: 'runc' }), (b) => b);
  await c.create(
    'a full one',
    c.make('conf-kinds-b', {
      handler: 'kata',
      overhead: { podFixed: { memory: '64Mi', cpu: '100m' } },
      scheduling: { nodeSelector: { kata: 'yes' }, tolerations: [{ key: 'kata', operator: 'Exists' }] },
    }),
  );
  await c.tries(
    [
      ['no handler', c.make('conf-kinds-f')],
      ['a bad handler', c.make('conf-kinds-f', { handler: 'Not one' })],
      [
        'a negative overhead',
        c.make('conf-kinds-f', { handler: 'x', overhead: { podFixed: { cpu: '-1' } } }),
      ],
      [
        'a bad toleration',
        c.make('conf-kinds-f', {
          handler: 'x',
          scheduling: { tolerations: [{ key: 'a', operator: 'Like' }] },
        }),
      ],
    ],
    rest,
  );
  await c.patch('the handler is immutable', 'conf-kinds-a', { handler: 'y' }, { type: MERGE });
  await t.step('as a table', 'GET', c.at('conf-kinds-a'), { headers: TABLE, pick: table });
  const pod = (more) => p.make('p', { spec: podSpec({ runtimeClassName: 'conf-kinds-b', ...more }) });
  await settle(
    t,
    'the class to be seen',
    async () => (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod({}) })).status === 201,
  );
  const shown = (b) => [b.spec.runtimeClassName, b.spec.overhead, b.spec.nodeSelector, b.spec.tolerations];
  await p.tries(
    [
      ['a pod gets overhead, selector and tolerations', pod({})],
      [
        'merged with its own',
        pod({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'x', operator: 'Exists' }] }),
      ],
      ['a selector that conflicts', pod({ nodeSelector: { kata: 'no' } })],
      ["an overhead of one's own", pod({ overhead: { cpu: '1' } })],
    ],
    shown,
  );
  await c.remove('delete', 'conf-kinds-a');
}
