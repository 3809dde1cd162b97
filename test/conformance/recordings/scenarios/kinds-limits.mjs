// Limit ranges, resource quotas and pod security: the objects themselves, and what admission does to pods and
// claims.
// Quotas are counted by admission alone here: no controller fills in their status.
import {
  container,
  MERGE,
  podSpec,
  scene,
  settle,
  spec,
  status,
  TABLE,
  table,
  template,
} from './helpers/kinds.mjs';

const sized = (resources) => podSpec({ containers: [container('c', { resources })] });
const res = (b) => b.spec.containers.map((c) => c.resources);

export async function limitRanges(t) {
  const l = await scene(t, 'v1', 'LimitRange', 'limitranges', 'conf-kinds-limitrange');
  const lr = (limits) => l.make('f', { spec: { limits } });
  await l.create(
    'a limit range',
    l.make('a', {
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '500m' },
            defaultRequest: { cpu: '100m' },
            max: { cpu: '2', memory: '1Gi' },
            min: { cpu: '50m' },
            maxLimitRequestRatio: { cpu: '10' },
          },
        ],
      },
    }),
    (b) => b,
  );
  await l.tries([
    ['max becomes the default, the default the request', lr([{ type: 'Container', max: { memory: '1Gi' } }])],
    ['a default alone', lr([{ type: 'Container', default: { memory: '1Gi' } }])],
    ['min becomes the request', lr([{ type: 'Container', min: { memory: '1Gi' } }])],
    ['for pods', lr([{ type: 'Pod', max: { cpu: '4' } }])],
    [
      'for claims',
      lr([{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } }]),
    ],
    ['for claims without anything', lr([{ type: 'PersistentVolumeClaim' }])],
    ['no spec', l.make('f')],
    ['a pod default', lr([{ type: 'Pod', default: { cpu: '1' } }])],
    ['no type', lr([{ max: { cpu: '1' } }])],
    ["a type of one's own", lr([{ type: 'example.com/Widget', max: { cpu: '1' } }])],
    ['an unknown type', lr([{ type: 'Widget', max: { cpu: '1' } }])],
    [
      'a type twice',
      lr([
        { type: 'Pod', max: { cpu: '1' } },
        { type: 'Pod', max: { cpu: '2' } },
      ]),
    ],
    ['min above max', lr([{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }])],
    ['a default above max', lr([{ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }])],
    [
      'a request above the default',
      lr([{ type: 'Container', defaultRequest: { cpu: '2' }, default: { cpu: '1' } }]),
    ],
    ['a ratio below 1', lr([{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }])],
    ['an unknown resource', lr([{ type: 'Container', max: { gold: '1' } }])],
    ['a quantity that cannot be read', lr([{ type: 'Container', max: { cpu: 'x' } }])],
  ]);
  await l.patch(
    'may change',
    'a',
    { spec: { limits: [{ type: 'Pod', max: { cpu: '3' } }] } },
    { type: MERGE, pick: spec },
  );
  await l.table('as a table');
  await l.remove('delete', 'a');
}

export async function limitRangesAtWork(t) {
  const l = await scene(t, 'v1', 'LimitRange', 'limitranges', 'conf-kinds-limited');
  const p = await scene(t, 'v1', 'Pod', 'pods', l.ns);
  const c = await scene(t, 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', l.ns);
  await l.made(
    l.make('a', {
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '500m', memory: '64Mi' },
            defaultRequest: { cpu: '100m' },
            max: { cpu: '2' },
            min: { cpu: '50m' },
            maxLimitRequestRatio: { cpu: '10' },
          },
          { type: 'Pod', max: { cpu: '3' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
        ],
      },
    }),
  );
  const pod = (spec2) => p.make('p', { spec: spec2 });
  await settle(
    t,
    'the limits to be seen',
    async () =>
      (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod(podSpec()) })).body.spec
        .containers[0].resources.limits,
  );
  await p.tries(
    [
      ['a container gets defaults', pod(podSpec())],
      ['a limit of its own', pod(sized({ limits: { cpu: '1' } }))],
      ['a request of its own', pod(sized({ requests: { cpu: '200m' } }))],
      ['a request above the default limit', pod(sized({ requests: { cpu: '600m' } }))],
      ['above max', pod(sized({ limits: { cpu: '3' } }))],
      ['below min', pod(sized({ requests: { cpu: '10m' }, limits: { cpu: '50m' } }))],
      ['above the ratio', pod(sized({ requests: { cpu: '100m' }, limits: { cpu: '2' } }))],
      [
        "two containers above the pod's limit",
        pod({
          containers: ['a', 'b'].map((n) =>
            container(n, { resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } }),
          ),
        }),
      ],
      ['an init container gets defaults too', pod(podSpec({ initContainers: [container('i')] }))],
    ],
    (b) => [b.metadata.annotations, res(b), b.spec.initContainers?.map((x) => x.resources)],
  );
  const d = await scene(t, 'apps/v1', 'Deployment', 'deployments', l.ns);
  await d.tries(
    [
      [
        'a template is left alone',
        d.make('d', { spec: { selector: { matchLabels: { app: 'a' } }, template: template() } }),
      ],
    ],
    (b) => b.spec.template.spec.containers[0].resources,
  );
  const claim = (storage) =>
    c.make('c', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } });
  await c.tries([
    ['a claim within', claim('2Gi')],
    ['a claim too small', claim('1Mi')],
    ['a claim too large', claim('1Ti')],
  ]);
}

export async function resourceQuotas(t) {
  const q = await scene(t, 'v1', 'ResourceQuota', 'resourcequotas', 'conf-kinds-quota');
  const rq = (s) => q.make('f', { spec: s });
  await q.create(
    'a quota',
    q.make('a', { spec: { hard: { pods: '2', 'requests.cpu': '1', 'count/configmaps': '3', services: 1 } } }),
    (b) => b,
  );
  await q.create('without a spec', q.make('b'));
  await q.tries([
    ['scopes', rq({ hard: { pods: '1' }, scopes: ['BestEffort'] })],
    [
      'a scope selector',
      rq({
        hard: { pods: '1' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      }),
    ],
    ['an unknown scope', rq({ hard: { pods: '1' }, scopes: ['Worst'] })],
    ['scopes that exclude one another', rq({ hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] })],
    [
      'a scope that does not go with a resource',
      rq({ hard: { 'requests.cpu': '1' }, scopes: ['BestEffort'] }),
    ],
    [
      'an operator that does not go',
      rq({
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In', values: ['x'] }] },
      }),
    ],
    ['a negative limit', rq({ hard: { pods: '-1' } })],
    ['a fraction of pods', rq({ hard: { pods: '1.5' } })],
    ['an unknown resource', rq({ hard: { gold: '1' } })],
    ["a resource of one's own", rq({ hard: { 'requests.example.com/gpu': '1' } })],
    ['a quantity that cannot be read', rq({ hard: { pods: 'many' } })],
  ]);
  await q.patch('the limits may change', 'a', { spec: { hard: { pods: '5' } } }, { type: MERGE, pick: spec });
  await q.patch('the scopes may not', 'a', { spec: { scopes: ['NotTerminating'] } }, { type: MERGE });
  await q.put(
    'status',
    'a',
    (o) => {
      o.status = { hard: { pods: '5' }, used: { pods: '1' } };
      o.spec.hard.pods = '99';
    },
    { sub: 'status', pick: (b) => [b.spec.hard.pods, b.status] },
  );
  await q.patch('a bad status', 'a', { status: { used: { pods: '-1' } } }, { sub: 'status', type: MERGE });
  await q.patch(
    'a status through the quota itself is ignored',
    'a',
    { status: { used: { pods: '3' } } },
    { type: MERGE, pick: status },
  );
  await t.step('as a table', 'GET', q.at('b'), { headers: TABLE, pick: table });
  await q.remove('delete', 'a');
}

export async function resourceQuotasAtWork(t) {
  const q = await scene(t, 'v1', 'ResourceQuota', 'resourcequotas', 'conf-kinds-quota-work');
  const p = await scene(t, 'v1', 'Pod', 'pods', q.ns);
  const m = await scene(t, 'v1', 'ConfigMap', 'configmaps', q.ns);
  const s = await scene(t, 'v1', 'Service', 'services', q.ns);
  const hard = {
    pods: '2',
    'requests.cpu': '1',
    'limits.memory': '1Gi',
    'count/configmaps': '2',
    'services.nodeports': '0',
  };
  const used = {
    pods: '0',
    'requests.cpu': '0',
    'limits.memory': '0',
    'count/configmaps': '0',
    'services.nodeports': '0',
  };
  await q.made(q.make('q', { spec: { hard } }));
  const small = { requests: { cpu: '400m' }, limits: { memory: '100Mi' } };
  const pod = (n, resources = small) => p.make(n, { spec: sized(resources) });
  await p.create(
    'a quota whose status no controller has set does not limit',
    pod('z', {}),
    (b) => b.metadata.name,
  );
  await t.setup('DELETE', p.at('z'));
  await t.setup('PATCH', q.at('q', 'status'), { body: { status: { hard, used } }, type: MERGE });
  await settle(
    t,
    'the count to be seen',
    async () =>
      (await t.client.request('POST', `${p.all}?dryRun=All`, { body: pod('probe', {}) })).status === 403,
  );
  await p.create('a pod within', pod('a'), (b) => b.metadata.name);
  await q.get('is counted', 'q', (b) => b.status.used);
  await p.create('a pod without requests', pod('b', {}));
  await p.create('too much cpu', pod('b', { ...small, requests: { cpu: '700m' } }));
  await p.create('a second', pod('b'), (b) => b.metadata.name);
  await p.create('the name of another is counted before it is refused', pod('b'));
  await p.create('a third', pod('c'));
  await p.tries([['a third in a dry run', pod('c')]]);
  await t.setup('DELETE', p.at('b'));
  await q.get('what goes is not taken off by the API server', 'q', (b) => b.status.used);
  await m.create('a config map', m.make('one'), (b) => b.metadata.name);
  await m.create('another', m.make('two'), (b) => b.metadata.name);
  await m.create('one too many', m.make('three'));
  await m.patch(
    'an update is not counted',
    'one',
    { data: { a: 'b' } },
    { type: MERGE, pick: (b) => b.data },
  );
  await s.create('a node port', s.make('np', { spec: { type: 'NodePort', ports: [{ port: 80 }] } }));
  await s.create(
    'a service of another type',
    s.make('plain', { spec: { ports: [{ port: 80 }] } }),
    (b) => b.spec.type,
  );
  await q.get('the count in the end', 'q', (b) => b.status.used);
}

export async function podSecurity(t) {
  const ns = await t.namespace('conf-kinds-podsecurity');
  const level = (labels) =>
    t.setup('PATCH', `/api/v1/namespaces/${ns}`, { body: { metadata: { labels } }, type: MERGE });
  const p = await scene(t, 'v1', 'Pod', 'pods', ns);
  const d = await scene(t, 'apps/v1', 'Deployment', 'deployments', ns);
  t.onEnd(() =>
    level({ 'pod-security.kubernetes.io/enforce': null, 'pod-security.kubernetes.io/warn': null }),
  );
  await t.step('an unknown level', 'PATCH', `/api/v1/namespaces/${ns}`, {
    body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'some' } } },
    type: MERGE,
  });
  const good = podSpec({
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      container('c', {
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      }),
    ],
  });
  const privileged = podSpec({
    hostNetwork: true,
    containers: [container('c', { securityContext: { privileged: true } })],
  });
  const cases = (what) => [
    [`${what}: a plain pod`, p.make('p', { spec: podSpec() })],
    [`${what}: a careful pod`, p.make('p', { spec: good })],
    [`${what}: a privileged pod`, p.make('p', { spec: privileged })],
  ];
  const seen = async (labels, probe, wanted) => {
    await level(labels);
    await settle(t, 'the level to be seen', async () =>
      wanted(await t.client.request('POST', `${p.all}?dryRun=All`, { body: p.make('p', { spec: probe }) })),
    );
  };
  await seen({ 'pod-security.kubernetes.io/enforce': 'baseline' }, privileged, (r) => r.status === 403);
  await p.tries(cases('baseline'), (b) => b.metadata.name);
  await seen({ 'pod-security.kubernetes.io/enforce': 'restricted' }, podSpec(), (r) => r.status === 403);
  await p.tries(cases('restricted'), (b) => b.metadata.name);
  await d.tries(
    [
      [
        'a template is let through',
        d.make('d', { spec: { selector: { matchLabels: { app: 'a' } }, template: template() } }),
      ],
    ],
    (b) => b.metadata.name,
  );
  await seen(
    { 'pod-security.kubernetes.io/enforce': null, 'pod-security.kubernetes.io/warn': 'restricted' },
    podSpec(),
    (r) => r.headers.warning,
  );
  await p.tries(cases('a warning'), (b) => b.metadata.name);
  await d.tries(
    [
      [
        'a template is warned of',
        d.make('d', { spec: { selector: { matchLabels: { app: 'a' } }, template: template() } }),
      ],
    ],
    (b) => b.metadata.name,
  );
}
