// Certificate signing requests, flow control and dynamic resources.
import { generation, lean, MERGE, names, podSpec, scene, status, TABLE, table } from './helpers/kinds.mjs';

// CN=conf, O=team; CN=system:node:conf, O=system:nodes; CN=boss, O=system:masters; and a self-signed
// certificate
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJIUmxZVzB4RFRBTEJnTlZCQU1NQkdOdmJtWXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVIzUTQrZmhZZStTaVFtOEYrVkZ3V1RBSlRVUEJhYXhoNXhqWCtVCitsWlg2YVRrNmgxcklUR3BDSGZXZzk1UmdQSVJ1a2VEY2JlUWhBR0ovc3JPVytJaW9BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUlnZjNrUmtQVGhNYjNzVmt5d0MyQ1pXWVhyMFpVSkZBdW9ldFZJWGpLRzZJY0NJUUNJOGwwawowcng0R2ZQQkNHbG5LdmJmdVRWV1J4QWJoaVdJWFJKdzFCT0sxdz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const NODE =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdU1JR1VBZ0VBTURJeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVaTUJjR0ExVUVBd3dRYzNsegpkR1Z0T201dlpHVTZZMjl1WmpCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBMElBQkdzSVF0SmFxL05jCjMva1l1TGNJMmxlZTlXczVIeG5jclNSeXFpT0JhNXlIanVHQW1YVXpiYUFaQmlwZmVmYkN3UGpaRmRNcWpueEkKbnYrTm1aSWNSS3lnQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQW9MamowL2doRkxnRHZROExvSDRlT21KbwpwbEVYR09FUS9sd2RGbGJrajdzQ0lRQ21EeXZOcTlzTnNlTFdnZEFLTGh0RXhPeWJJMU5kMEVzdzVBQ3hrM2cwCjV3PT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
const MASTERS =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIa01JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSaQpiM056TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFR05WQXNTRm4vajYyQloyZFlSY01pOWhRClgrVTdSOTQ4WURzdzF2OHdpdWdaT0dUN3BnVTFYZld0Z25wWkgweHJhK01ZTGRZTm5MYURLN3ZkVUdOTXFLQUEKTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFDS3M2ZHdMRnk1L3VZanl2SktBbmhJMTluM3RONC8rdXRhZDlPTwplRm5qWFFJaEFMUUtTcUQwa1ZpWjNiNWwwS0gzbXBlVEVXN0pDOXY4R0lrTnhsU2V4S0s2Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const CERTIFICATE =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJkRENDQVJ1Z0F3SUJBZ0lVUGl3bVRITGNURUhYQlEvSm1kTnFGOVZkdER3d0NnWUlLb1pJemowRUF3SXcKRHpFTk1Bc0dBMVVFQXd3RVkyOXVaakFnRncweU5qRXhNVGd3TnpFek5USmFHQTh5TVRJMk1UQXlOVEEzTVRNMQpNbG93RHpFTk1Bc0dBMVVFQXd3RVkyOXVaakJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCTWhBCkNPa25qOTBxaWJOTTFLTTJqK09wZ2wyYWhzb1lXMDBhTFNPQklNaHJjNWswVWZ3bHpPMEJ1dkowUUNBaDd5M0EKTlA0SFdtcTdNbmVac2VtV0o1T2pVekJSTUIwR0ExVWREZ1FXQkJTczBFSkp1QWZuaGN0ZXREUGh3Mi9HczZDZwpCekFmQmdOVkhTTUVHREFXZ0JTczBFSkp1QWZuaGN0ZXREUGh3Mi9HczZDZ0J6QVBCZ05WSFJNQkFmOEVCVEFECkFRSC9NQW9HQ0NxR1NNNDlCQU1DQTBjQU1FUUNJQzBOcGJFa0FQa0EwbC9qTHBnMFdxc1FGb3F1TEFHMWZiRCsKOVIrc0Q4eE5BaUFxUFZmYkZvSDRodFpTOEZQUGtvTGRlUGtqSGhrSWdCUFMyTFRIOXRKazhRPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=';
/** Who asked is the user of the kubeconfig, and differs. */
const anonymous = (b) => {
  const o = lean(b);
  const { username, groups, uid, extra, ...rest } = o.spec;
  return { ...o, spec: { ...rest, username: Boolean(username), groups: Array.isArray(groups) } };
};

export async function certificateRequests(t) {
  const c = await scene(
    t,
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    undefined,
    'conf-kinds-',
  );
  const csr = (n, rest = {}) =>
    c.make(n, {
      spec: {
        request: REQUEST,
        signerName: 'example.com/signer',
        usages: ['client auth', 'digital signature'],
        ...rest,
      },
    });
  await c.create('a request', csr('conf-kinds-a'), anonymous);
  await c.tries(
    [
      ["a user of one's own is not taken", csr('conf-kinds-f', { username: 'somebody', groups: ['some'] })],
      ['no request', csr('conf-kinds-f', { request: undefined })],
      ['a request that is no PEM', csr('conf-kinds-f', { request: Buffer.from('hello').toString('base64') })],
      ['a request that is no base64', csr('conf-kinds-f', { request: '%%' })],
      ['no signer', csr('conf-kinds-f', { signerName: undefined })],
      ['a signer without a domain', csr('conf-kinds-f', { signerName: 'signer' })],
      ['the old signer', csr('conf-kinds-f', { signerName: 'kubernetes.io/legacy-unknown' })],
      ['no usages', csr('conf-kinds-f', { usages: undefined })],
      ['an unknown usage', csr('conf-kinds-f', { usages: ['fun'] })],
      ['a usage twice', csr('conf-kinds-f', { usages: ['client auth', 'client auth'] })],
      ['a duration too short', csr('conf-kinds-f', { expirationSeconds: 10 })],
      ['a duration', csr('conf-kinds-f', { expirationSeconds: 3600 })],
      [
        'a kubelet',
        csr('conf-kinds-f', { request: NODE, signerName: 'kubernetes.io/kube-apiserver-client-kubelet' }),
      ],
      [
        'a client of the API server',
        csr('conf-kinds-f', { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] }),
      ],
      [
        'a master as a client of the API server',
        csr('conf-kinds-f', {
          request: MASTERS,
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        }),
      ],
    ],
    (b) => [anonymous(b).spec, b.status],
  );
  await c.patch(
    'a change of the spec is ignored',
    'conf-kinds-a',
    { spec: { signerName: 'example.com/other' } },
    { type: MERGE, pick: anonymous },
  );
  await c.patch(
    'labels may change',
    'conf-kinds-a',
    { metadata: { labels: { a: 'b' } } },
    { type: MERGE, pick: (b) => b.metadata.labels },
  );
  await c.patch(
    'an approval through the object itself is ignored',
    'conf-kinds-a',
    { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'R' }] } },
    { type: MERGE, pick: status },
  );
  await c.patch(
    'an approval through the status is not taken',
    'conf-kinds-a',
    { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'R' }] } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await c.put(
    'an approval',
    'conf-kinds-a',
    (o) => {
      o.status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Good', message: 'm' }] };
    },
    { sub: 'approval', pick: status },
  );
  await c.put(
    'an approval cannot be taken back',
    'conf-kinds-a',
    (o) => {
      o.status = {};
    },
    { sub: 'approval', pick: status },
  );
  await c.put(
    'nor denied as well',
    'conf-kinds-a',
    (o) => {
      o.status.conditions.push({ type: 'Denied', status: 'True', reason: 'Bad' });
    },
    { sub: 'approval', pick: status },
  );
  await c.put(
    'a condition that is not True',
    'conf-kinds-a',
    (o) => {
      o.status.conditions.push({ type: 'Denied', status: 'False', reason: 'Bad' });
    },
    { sub: 'approval', pick: status },
  );
  await c.put(
    'a certificate that is none',
    'conf-kinds-a',
    (o) => {
      o.status.certificate = Buffer.from('x').toString('base64');
    },
    { sub: 'status', pick: status },
  );
  await c.put(
    'a certificate',
    'conf-kinds-a',
    (o) => {
      o.status.certificate = CERTIFICATE;
    },
    {
      sub: 'status',
      pick: (b) => [b.status.conditions?.map((x) => x.type), b.status.certificate === CERTIFICATE],
    },
  );
  await c.put(
    'another certificate',
    'conf-kinds-a',
    (o) => {
      o.status.certificate = Buffer.from(`${Buffer.from(CERTIFICATE, 'base64')}\n\n`).toString('base64');
    },
    { sub: 'status', pick: (b) => b.status.certificate === CERTIFICATE },
  );
  await c.patch(
    'a failure',
    'conf-kinds-a',
    { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'F' }] } },
    { sub: 'status', pick: (b) => b.status.conditions.map((x) => x.type) },
  );
  await c.get(
    'the approval subresource',
    'conf-kinds-a',
    (b) => [b.kind, b.status.conditions.map((x) => x.type)],
    'approval',
  );
  await c.made(csr('conf-kinds-b', { signerName: 'example.com/other' }));
  await c.put(
    'a denial',
    'conf-kinds-b',
    (o) => {
      o.status = { conditions: [{ type: 'Denied', status: 'True', reason: 'Bad' }] };
    },
    { sub: 'approval', pick: (b) => b.status.conditions.map((x) => [x.type, Boolean(x.lastUpdateTime)]) },
  );
  await c.list('by signer', '?fieldSelector=spec.signerName%3Dexample.com/other');
  await c.list('by an unknown field', '?fieldSelector=spec.username%3Dx');
  await t.step('as a table', 'GET', c.at('conf-kinds-b'), {
    headers: TABLE,
    pick: (b) => {
      const o = table(b);
      const i = o.columns.findIndex((x) => x[0] === 'Requestor');
      o.rows = o.rows.map((r) => r.with(i, '<user>'));
      return o;
    },
  });
  await c.remove('delete', 'conf-kinds-b');
}

export async function flowControl(t) {
  // A controller of the API server writes the status of these, so that only what was asked is compared.
  const stable = (b) => ({
    kind: b.kind,
    apiVersion: b.apiVersion,
    name: b.metadata.name,
    generation: b.metadata.generation,
    spec: b.spec,
  });
  const l = await scene(
    t,
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    undefined,
    'conf-kinds-',
  );
  const level = (n, s) => l.make(n, { spec: s });
  await l.create('a limited level', level('conf-kinds-l', { type: 'Limited', limited: {} }), stable);
  await l.create(
    'a queue',
    level('conf-kinds-q', {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 5,
        lendablePercent: 10,
        limitResponse: { type: 'Queue', queuing: { queues: 8 } },
      },
    }),
    stable,
  );
  await l.tries([
    ["an exempt level of one's own", level('conf-kinds-f', { type: 'Exempt' })],
    ['no type', level('conf-kinds-f', {})],
    ['Limited without its settings', level('conf-kinds-f', { type: 'Limited' })],
    ['an unknown type', level('conf-kinds-f', { type: 'Free' })],
    [
      'negative shares',
      level('conf-kinds-f', { type: 'Limited', limited: { nominalConcurrencyShares: -1 } }),
    ],
    ['lending more than all', level('conf-kinds-f', { type: 'Limited', limited: { lendablePercent: 101 } })],
    [
      'a queue without its settings',
      level('conf-kinds-f', { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } }),
    ],
    [
      'reject with queues',
      level('conf-kinds-f', {
        type: 'Limited',
        limited: { limitResponse: { type: 'Reject', queuing: { queues: 8 } } },
      }),
    ],
    [
      'a hand larger than the queues',
      level('conf-kinds-f', {
        type: 'Limited',
        limited: { limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 8 } } },
      }),
    ],
  ]);
  const f = await scene(
    t,
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'flowschemas',
    undefined,
    'conf-kinds-',
  );
  const rule = (rest = {}) => ({
    subjects: [{ kind: 'User', user: { name: 'nobody' } }],
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
    ...rest,
  });
  const schema = (rest) =>
    f.make('conf-kinds-f', { spec: { priorityLevelConfiguration: { name: 'conf-kinds-l' }, ...rest } });
  await f.create('a schema', { ...schema({ rules: [rule()] }), metadata: { name: 'conf-kinds-s' } }, stable);
  await f.tries([
    ['without rules', schema({})],
    ['a distinguisher', schema({ distinguisherMethod: { type: 'ByUser' }, matchingPrecedence: 5 })],
    ['an unknown distinguisher', schema({ distinguisherMethod: { type: 'ByMood' } })],
    ['no level', schema({ priorityLevelConfiguration: undefined })],
    ['a precedence too high', schema({ matchingPrecedence: 10001 })],
    ['no subjects', schema({ rules: [rule({ subjects: [] })] })],
    ['an unknown subject', schema({ rules: [rule({ subjects: [{ kind: 'Dog' }] })] })],
    [
      'a subject of another kind',
      schema({ rules: [rule({ subjects: [{ kind: 'User', group: { name: 'x' } }] })] }),
    ],
    ['neither kind of rule', schema({ rules: [{ subjects: rule().subjects }] })],
    [
      'a rule without verbs',
      schema({
        rules: [rule({ resourceRules: [{ apiGroups: [''], resources: ['pods'], namespaces: ['*'] }] })],
      }),
    ],
    [
      'a rule without a scope',
      schema({
        rules: [rule({ resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] })],
      }),
    ],
    [
      'a path that is not absolute',
      schema({
        rules: [
          rule({ resourceRules: undefined, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['x'] }] }),
        ],
      }),
    ],
  ]);
  await f.patch(
    'may change',
    'conf-kinds-s',
    { spec: { matchingPrecedence: 77 } },
    { type: MERGE, pick: stable },
  );
  await l.patch(
    'levels too',
    'conf-kinds-q',
    { spec: { limited: { nominalConcurrencyShares: 6 } } },
    { type: MERGE, pick: stable },
  );
  await t.step('the levels of the system', 'GET', l.all, {
    pick: (b) =>
      names(b)
        .filter((n) => !n.startsWith('conf-'))
        .sort(),
  });
  await t.step('the schemas of the system', 'GET', f.all, {
    pick: (b) =>
      b.items
        .filter((i) => !i.metadata.name.startsWith('conf-'))
        .map((i) => [i.metadata.name, i.spec.matchingPrecedence, i.spec.priorityLevelConfiguration.name])
        .sort(),
  });
  await t.step('a level as a table', 'GET', l.at('conf-kinds-q'), { headers: TABLE, pick: table });
  await f.remove('delete', 'conf-kinds-s', '', (b) => b.status);
  await l.remove('delete of a level', 'conf-kinds-q', '', (b) => b.status);
}

export async function dynamicResources(t) {
  const d = await scene(t, 'resource.k8s.io/v1', 'DeviceClass', 'deviceclasses', undefined, 'conf-kinds-');
  await d.create(
    'a device class',
    d.make('conf-kinds-a', {
      spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
    }),
    (b) => b,
  );
  await d.tries([
    ['an empty class', d.make('conf-kinds-f', { spec: {} })],
    ['no spec', d.make('conf-kinds-f')],
    [
      'an expression that does not compile',
      d.make('conf-kinds-f', { spec: { selectors: [{ cel: { expression: 'device.' } }] } }),
    ],
    [
      'an expression that is no boolean',
      d.make('conf-kinds-f', { spec: { selectors: [{ cel: { expression: 'device.driver' } }] } }),
    ],
    ['an empty selector', d.make('conf-kinds-f', { spec: { selectors: [{}] } })],
    [
      'an opaque configuration',
      d.make('conf-kinds-f', {
        spec: {
          config: [
            {
              opaque: { driver: 'gpu.example.com', parameters: { kind: 'X', apiVersion: 'example.com/v1' } },
            },
          ],
        },
      }),
    ],
    [
      'a bad driver',
      d.make('conf-kinds-f', { spec: { config: [{ opaque: { driver: 'Not one', parameters: {} } }] } }),
    ],
  ]);
  await d.patch(
    'may change',
    'conf-kinds-a',
    { spec: { selectors: null } },
    { type: MERGE, pick: generation },
  );
  const c = await scene(t, 'resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims', 'conf-kinds-claims');
  const exact = (rest = {}) => ({ name: 'gpu', exactly: { deviceClassName: 'conf-kinds-a', ...rest } });
  const claim = (...requests) => c.make('f', { spec: { devices: { requests } } });
  await c.create('a claim', c.make('a', { spec: { devices: { requests: [exact()] } } }), (b) => b);
  await c.tries([
    ['an empty claim', c.make('f', { spec: {} })],
    ['a count', claim(exact({ count: 2 }))],
    ['all devices', claim(exact({ allocationMode: 'All' }))],
    ['all devices and a count', claim(exact({ allocationMode: 'All', count: 2 }))],
    ['an unknown mode', claim(exact({ allocationMode: 'Some' }))],
    ['no class', claim({ name: 'gpu', exactly: {} })],
    ['neither exactly nor a choice', claim({ name: 'gpu' })],
    [
      'a choice',
      claim({
        name: 'gpu',
        firstAvailable: [
          { name: 'big', deviceClassName: 'big' },
          { name: 'small', deviceClassName: 'small', count: 2 },
        ],
      }),
    ],
    ['a name twice', claim(exact(), exact())],
    ['a bad name', claim({ ...exact(), name: 'Not_one' })],
    [
      'a constraint over an unknown request',
      c.make('f', {
        spec: {
          devices: {
            requests: [exact()],
            constraints: [{ requests: ['none'], matchAttribute: 'example.com/numa' }],
          },
        },
      }),
    ],
    [
      'a constraint',
      c.make('f', {
        spec: {
          devices: {
            requests: [exact()],
            constraints: [{ requests: ['gpu'], matchAttribute: 'example.com/numa' }],
          },
        },
      }),
    ],
    ['a bad toleration', claim(exact({ tolerations: [{ key: 'a', operator: 'Like' }] }))],
    ['an unknown field', claim({ ...exact(), deviceClass: 'x' })],
  ]);
  await c.patch(
    'the spec is immutable',
    'a',
    { spec: { devices: { requests: [exact({ count: 3 })] } } },
    { type: MERGE },
  );
  await c.patch(
    'a label',
    'a',
    { metadata: { labels: { a: 'b' } } },
    { type: MERGE, pick: (b) => [b.metadata.labels, b.metadata.generation ?? 'no generation'] },
  );
  const allocation = {
    devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' }] },
  };
  await c.patch(
    'an allocation',
    'a',
    { status: { allocation } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await c.patch(
    'an allocation may not change',
    'a',
    {
      status: {
        allocation: {
          devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-1' }] },
        },
      },
    },
    { sub: 'status', type: MERGE, pick: status },
  );
  await c.patch(
    'reserved for a pod',
    'a',
    { status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await c.patch(
    'another pod by strategic merge',
    'a',
    { status: { reservedFor: [{ resource: 'pods', name: 'q', uid: 'v' }] } },
    { sub: 'status', pick: (b) => b.status.reservedFor },
  );
  await c.patch(
    'no allocation while reserved',
    'a',
    { status: { allocation: null } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await c.table('as a table');
  const p = await scene(t, 'v1', 'Pod', 'pods', c.ns);
  await p.tries(
    [
      [
        'a pod with a claim',
        p.make('p', {
          spec: {
            ...podSpec(),
            resourceClaims: [{ name: 'r', resourceClaimName: 'a' }],
            containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } }],
          },
        }),
      ],
      [
        'a container with an unknown claim',
        p.make('p', {
          spec: {
            ...podSpec(),
            containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } }],
          },
        }),
      ],
      [
        'a claim of both kinds',
        p.make('p', {
          spec: {
            ...podSpec(),
            resourceClaims: [{ name: 'r', resourceClaimName: 'a', resourceClaimTemplateName: 'b' }],
          },
        }),
      ],
    ],
    (b) => [b.spec.resourceClaims, b.spec.containers[0].resources],
  );
  const tpl = await scene(t, 'resource.k8s.io/v1', 'ResourceClaimTemplate', 'resourceclaimtemplates', c.ns);
  await tpl.create(
    'a template',
    tpl.make('t', { spec: { metadata: { labels: { a: 'b' } }, spec: { devices: { requests: [exact()] } } } }),
  );
  await tpl.create('a template that is empty', tpl.make('u'));
  await tpl.patch(
    'a template is immutable',
    't',
    { spec: { metadata: { labels: { a: 'c' } } } },
    { type: MERGE },
  );
  const s = await scene(t, 'resource.k8s.io/v1', 'ResourceSlice', 'resourceslices', undefined, 'conf-kinds-');
  const slice = (rest = {}) =>
    s.make('conf-kinds-s', {
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'n1',
        pool: { name: 'n1', generation: 1, resourceSliceCount: 1 },
        devices: [
          {
            name: 'gpu-0',
            attributes: { model: { string: 'x' }, size: { int: 5 } },
            capacity: { memory: { value: '8Gi' } },
          },
        ],
        ...rest,
      },
    });
  await s.create('a slice', slice());
  await s.tries([
    ['no node', slice({ nodeName: undefined })],
    ['no pool', slice({ pool: undefined })],
    ['a device twice', slice({ devices: [{ name: 'a' }, { name: 'a' }] })],
    [
      'an attribute of two types',
      slice({ devices: [{ name: 'a', attributes: { m: { string: 'x', int: 1 } } }] }),
    ],
    ['no driver', slice({ driver: undefined })],
  ]);
  await s.list('by driver', '?fieldSelector=spec.driver%3Dgpu.example.com');
  await s.list('by node', '?fieldSelector=spec.nodeName%3Dnone');
  await s.patch(
    'the driver is immutable',
    'conf-kinds-s',
    { spec: { driver: 'other.example.com' } },
    { type: MERGE },
  );
}
