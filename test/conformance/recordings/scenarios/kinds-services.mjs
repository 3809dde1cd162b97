// Services with their allocated addresses and ports, endpoints and endpoint slices. The ranges are those of
// --service-cluster-ip-range=10.0.0.0/24 and the default node ports.
import { JSON_PATCH, lean, MERGE, names, owned, scene, status } from './helpers/kinds.mjs';

const inRange = (ip) => (/^10\.0\.0\.\d+$/.test(ip) ? '<ip>' : ip);
const nodePort = (p) => (p >= 30000 && p <= 32767 ? '<node port>' : p);
/** An object with the values that the server picked put aside. */
const plain = (b) => {
  const o = lean(b);
  if (o.spec?.clusterIP)
    o.spec = { ...o.spec, clusterIP: inRange(o.spec.clusterIP), clusterIPs: o.spec.clusterIPs?.map(inRange) };
  if (o.spec?.ports)
    o.spec = {
      ...o.spec,
      ports: o.spec.ports.map((p) => ({ ...p, ...(p.nodePort && { nodePort: nodePort(p.nodePort) }) })),
    };
  if (o.spec?.healthCheckNodePort)
    o.spec = { ...o.spec, healthCheckNodePort: nodePort(o.spec.healthCheckNodePort) };
  return o;
};
const shown = (b) => plain(b).spec;
const services = (t, name) => scene(t, 'v1', 'Service', 'services', `conf-kinds-${name}`);
const http = { port: 80 };

export async function serviceDefaults(t) {
  const s = await services(t, 'svc-defaults');
  const svc = (n, rest) => s.make(n, { spec: { selector: { app: 'a' }, ports: [http], ...rest } });
  await s.create('a minimal service', svc('a'), (b) => ({
    ...plain(b),
    managedFields: b.metadata.managedFields,
  }));
  await s.create(
    'several ports',
    svc('ports', {
      ports: [
        { name: 'http', port: 80, targetPort: 'web', appProtocol: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
      ],
    }),
    plain,
  );
  await s.create('NodePort', svc('np', { type: 'NodePort' }), plain);
  await s.create('LoadBalancer', svc('lb', { type: 'LoadBalancer' }), plain);
  await s.create(
    'LoadBalancer that stays local',
    svc('lbl', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      allocateLoadBalancerNodePorts: false,
      loadBalancerClass: 'example.com/lb',
      loadBalancerSourceRanges: ['127.0.0.0/8'],
    }),
    plain,
  );
  await s.create(
    'ExternalName',
    s.make('ext', { spec: { type: 'ExternalName', externalName: 'db.example.com' } }),
    plain,
  );
  await s.create('headless', svc('headless', { clusterIP: 'None' }), plain);
  await s.create('headless without a selector', s.make('hnosel', { spec: { clusterIP: 'None' } }), plain);
  await s.create('without a selector', s.make('nosel', { spec: { ports: [http] } }), plain);
  await s.create('session affinity', svc('aff', { sessionAffinity: 'ClientIP' }), shown);
  await s.create('external addresses', svc('exip', { externalIPs: ['192.0.2.3'] }), shown);
  await s.create(
    'publishNotReadyAddresses and internal policy',
    svc('pub', {
      publishNotReadyAddresses: true,
      internalTrafficPolicy: 'Local',
      trafficDistribution: 'PreferClose',
    }),
    shown,
  );
  await s.create('an IP family', svc('fam', { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }), shown);
  await s.create('prefers dual stack', svc('dual', { ipFamilyPolicy: 'PreferDualStack' }), shown);
  await s.create('a chosen address', svc('chosen', { clusterIP: '10.0.0.9' }), (b) => b.spec);
  await s.create('which is taken then', svc('chosen2', { clusterIP: '10.0.0.9' }));
  await s.remove('delete answers the service', 'chosen', '', (b) => [b.kind, b.spec?.clusterIP]);
  await s.create('and free again', svc('chosen2', { clusterIP: '10.0.0.9' }), (b) => b.spec.clusterIP);
  await s.create('an address out of the range', svc('bad', { clusterIP: '127.0.0.1' }));
  await s.create(
    'a chosen node port',
    svc('chosennp', { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }),
    (b) => b.spec.ports,
  );
  await s.create(
    'which is taken then as well',
    svc('chosennp2', { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }),
  );
  await s.create(
    'a node port out of the range',
    svc('bad', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
  );
  await t.step('a dry run', 'POST', `${s.all}?dryRun=All`, {
    body: svc('dry', { type: 'NodePort' }),
    pick: plain,
  });
  await t.step('leaves nothing', 'GET', s.at('dry'));
  await t.step('the service of the API server', 'GET', '/api/v1/namespaces/default/services/kubernetes', {
    pick: (b) => ({
      labels: b.metadata.labels,
      type: b.spec.type,
      names: b.spec.ports.map((p) => [p.name, p.port, p.protocol]),
      ip: b.spec.clusterIP,
    }),
  });
}

export async function serviceFaults(t) {
  const s = await services(t, 'svc-faults');
  const svc = (rest) => s.make('f', { spec: { selector: { app: 'a' }, ports: [http], ...rest } });
  const ports = (...p) => svc({ ports: p });
  await s.tries(
    [
      ['no spec', s.make('f')],
      ['no ports', svc({ ports: [] })],
      ['port 0', ports({ port: 0 })],
      ['port 70000', ports({ port: 70000 })],
      ['two ports without names', ports({ port: 80 }, { port: 81 })],
      ['a port name twice', ports({ name: 'a', port: 80 }, { name: 'a', port: 81 })],
      ['a port twice', ports({ name: 'a', port: 80 }, { name: 'b', port: 80 })],
      ['a port of two protocols', ports({ name: 'a', port: 80 }, { name: 'b', port: 80, protocol: 'UDP' })],
      ['a bad port name', ports({ name: 'A_b', port: 80 })],
      ['an unknown protocol', ports({ port: 80, protocol: 'ICMP' })],
      ['a bad target port', ports({ port: 80, targetPort: 'Not_one' })],
      ['a target port out of range', ports({ port: 80, targetPort: 99999 })],
      ['a target port in a string of digits', ports({ port: 80, targetPort: '8080' })],
      ['a bad appProtocol', ports({ port: 80, appProtocol: 'a b' })],
      ['a node port on a ClusterIP', ports({ port: 80, nodePort: 30080 })],
      ['an unknown type', svc({ type: 'Tunnel' })],
      ['a clusterIP that is no address', svc({ clusterIP: 'here' })],
      ['clusterIPs that differ', svc({ clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.8'] })],
      ['a headless node port', svc({ type: 'NodePort', clusterIP: 'None' })],
      ['ExternalName without a name', s.make('f', { spec: { type: 'ExternalName' } })],
      [
        'ExternalName with an address',
        s.make('f', { spec: { type: 'ExternalName', externalName: 'a.example.com', clusterIP: '10.0.0.9' } }),
      ],
      [
        'ExternalName that is no name',
        s.make('f', { spec: { type: 'ExternalName', externalName: 'Not_one!' } }),
      ],
      ['an unknown affinity', svc({ sessionAffinity: 'Cookie' })],
      [
        'an affinity timeout of 0',
        svc({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
      ],
      ['a timeout without an affinity', svc({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } })],
      ['a bad selector', svc({ selector: { app: 'a b' } })],
      ['an external address that is none', svc({ externalIPs: ['x'] })],
      ['a link-local external address', svc({ externalIPs: ['169.254.1.1'] })],
      ['a loopback external address', svc({ externalIPs: ['127.0.0.1'] })],
      ['bad source ranges', svc({ type: 'LoadBalancer', loadBalancerSourceRanges: ['x'] })],
      ['source ranges on a ClusterIP', svc({ loadBalancerSourceRanges: ['127.0.0.0/8'] })],
      ['an unknown external policy', svc({ type: 'NodePort', externalTrafficPolicy: 'Mars' })],
      ['an external policy on a ClusterIP', svc({ externalTrafficPolicy: 'Local' })],
      ['an unknown internal policy', svc({ internalTrafficPolicy: 'Mars' })],
      ['a health check port without Local', svc({ type: 'LoadBalancer', healthCheckNodePort: 30999 })],
      ['an unknown IP family', svc({ ipFamilies: ['IPv5'] })],
      ['a family that is not configured', svc({ ipFamilies: ['IPv6'] })],
      ['dual stack required', svc({ ipFamilyPolicy: 'RequireDualStack' })],
      ['loadBalancerClass on a ClusterIP', svc({ loadBalancerClass: 'example.com/x' })],
      ['an unknown traffic distribution', svc({ trafficDistribution: 'Anywhere' })],
      ['a name that starts with a digit', s.make('1a', { spec: { ports: [http] } })],
      ['a name with a dot', s.make('a.b', { spec: { ports: [http] } })],
      ['a name of 64 characters', s.make('n'.repeat(64), { spec: { ports: [http] } })],
      ['an unknown field', svc({ portz: [] })],
      ['ports that are a number', svc({ ports: 80 })],
    ],
    shown,
  );
  await s.tries(
    [['strict: unknown fields', svc({ portz: [], ports: [{ port: 80, target: 1 }] })]],
    shown,
    '&fieldValidation=Strict',
  );
}

export async function serviceUpdates(t) {
  const s = await services(t, 'svc-updates');
  const svc = (n, rest) =>
    s.make(n, { spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80 }], ...rest } });
  const made = await s.made(svc('u'));
  const put = (label, change, pick = shown) => s.put(label, 'u', change, { pick });
  await put('another clusterIP', (o) => {
    o.spec.clusterIP = '10.0.0.251';
    o.spec.clusterIPs = ['10.0.0.251'];
  });
  await put('without the clusterIP, which is kept', (o) => {
    delete o.spec.clusterIP;
    delete o.spec.clusterIPs;
  });
  t.note('it is the same', (await t.setup('GET', s.at('u'))).spec.clusterIP === made.spec.clusterIP);
  await t.step('a whole new body without address and resourceVersion', 'PUT', s.at('u'), {
    body: svc('u', { selector: { app: 'b' } }),
    pick: plain,
  });
  await put('to NodePort', (o) => {
    o.spec.type = 'NodePort';
  });
  const np = (await t.setup('GET', s.at('u'))).spec.ports[0].nodePort;
  await put('a second port', (o) => {
    o.spec.ports.push({ name: 'more', port: 81 });
  });
  t.note('the first keeps its node port', (await t.setup('GET', s.at('u'))).spec.ports[0].nodePort === np);
  await put('without node ports, which are kept', (o) => {
    for (const p of o.spec.ports) delete p.nodePort;
  });
  t.note('they are', (await t.setup('GET', s.at('u'))).spec.ports[0].nodePort === np);
  await put('to LoadBalancer', (o) => {
    o.spec.type = 'LoadBalancer';
  });
  await put('a loadBalancerClass later on', (o) => {
    o.spec.loadBalancerClass = 'example.com/x';
  });
  await put('back to ClusterIP', (o) => {
    o.spec.type = 'ClusterIP';
  });
  await put('to ExternalName, which drops the address', (o) => {
    o.spec.type = 'ExternalName';
    o.spec.externalName = 'x.example.com';
    delete o.spec.clusterIP;
    delete o.spec.clusterIPs;
  });
  await put('and back, which allocates', (o) => {
    o.spec.type = 'ClusterIP';
    delete o.spec.externalName;
  });
  await put('to headless', (o) => {
    o.spec.clusterIP = 'None';
    o.spec.clusterIPs = ['None'];
  });
  await put('to NodePort once more', (o) => {
    o.spec.type = 'NodePort';
  });
  await s.put(
    'status',
    'u',
    (o) => {
      o.status = { loadBalancer: { ingress: [{ ip: '127.0.0.9' }] } };
    },
    { sub: 'status', pick: status },
  );
  await s.made(svc('lb', { type: 'LoadBalancer' }));
  await s.patch(
    'the status of a load balancer',
    'lb',
    {
      status: {
        loadBalancer: {
          ingress: [
            { ip: '127.0.0.9', ports: [{ port: 80, protocol: 'TCP' }] },
            { hostname: 'lb.example.com' },
          ],
        },
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'R',
            message: '',
            lastTransitionTime: '2026-01-02T03:04:05Z',
          },
        ],
      },
    },
    { sub: 'status', type: MERGE, pick: status },
  );
  await s.patch(
    'a bad address in it',
    'lb',
    { status: { loadBalancer: { ingress: [{ ip: 'x' }] } } },
    { sub: 'status', type: MERGE },
  );
  await s.patch(
    'a spec there is ignored, labels are not',
    'lb',
    { spec: { selector: { z: 'z' } }, metadata: { labels: { z: 'z' } } },
    { sub: 'status', type: MERGE, pick: (b) => [b.spec.selector, b.metadata.labels ?? 'none'] },
  );
  await s.patch(
    'a status through the service itself is ignored',
    'lb',
    { status: { loadBalancer: null } },
    { type: MERGE, pick: status },
  );
  await s.patch(
    'strategic: ports by number',
    'lb',
    { spec: { ports: [{ port: 443, name: 'https' }] } },
    { pick: shown },
  );
  await s.patch(
    'strategic: a port changed',
    'lb',
    { spec: { ports: [{ port: 443, targetPort: 8443 }] } },
    { pick: shown },
  );
  await s.patch(
    'strategic: a port deleted',
    'lb',
    { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
    { pick: shown },
  );
  await s.patch(
    'strategic: an order',
    'lb',
    {
      spec: { '$setElementOrder/ports': [{ port: 443 }, { port: 444 }], ports: [{ port: 444, name: 'alt' }] },
    },
    { pick: shown },
  );
  await s.patch(
    'strategic: the selector merges',
    'lb',
    { spec: { selector: { v: '1' } } },
    { pick: (b) => b.spec.selector },
  );
  await s.patch(
    'merge: ports are replaced',
    'lb',
    { spec: { ports: [{ port: 9 }] } },
    { type: MERGE, pick: shown },
  );
  await s.patch('JSON patch', 'lb', [{ op: 'replace', path: '/spec/ports/0/port', value: 10 }], {
    type: JSON_PATCH,
    pick: shown,
  });
  await s.patch('merge: the selector goes', 'lb', { spec: { selector: null } }, { type: MERGE, pick: shown });
  await s.patch(
    'a service has no generation',
    'lb',
    { metadata: { labels: { a: 'b' } } },
    { type: MERGE, pick: (b) => b.metadata.generation ?? 'none' },
  );
}

export async function serviceApplyAndLists(t) {
  const s = await services(t, 'svc-apply');
  const svc = (ports, rest = {}) => s.make('a', { spec: { selector: { app: 'a' }, ports, ...rest } });
  const pick = (b) => ({ ...shown(b), owners: owned(b).owners });
  await s.apply('create', 'a', 'alpha', svc([{ name: 'http', port: 80 }]), { pick });
  await s.apply(
    'another port by another manager',
    'a',
    'beta',
    s.make('a', { spec: { ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] } }),
    { pick },
  );
  await s.apply(
    'a conflict over a name',
    'a',
    'beta',
    s.make('a', { spec: { ports: [{ name: 'web', port: 80, protocol: 'TCP' }] } }),
  );
  await s.apply(
    'a selector is atomic',
    'a',
    'beta',
    s.make('a', { spec: { selector: { app: 'b' }, ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] } }),
  );
  await s.apply(
    'a port twice',
    'a',
    'alpha',
    svc([
      { name: 'x', port: 80 },
      { name: 'y', port: 80 },
    ]),
  );
  await s.apply('NodePort', 'a', 'alpha', svc([{ name: 'http', port: 80 }], { type: 'NodePort' }), { pick });
  await s.apply('the first drops its port', 'a', 'alpha', svc([]), { pick });
  await s.made(
    s.make(
      'lb',
      { spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30081 }], selector: { app: 'x' } } },
      { labels: { l: '1' } },
    ),
  );
  await s.made(s.make('ext', { spec: { type: 'ExternalName', externalName: 'x.example.com' } }));
  await s.made(
    s.make('none', {
      spec: {
        clusterIP: 'None',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2, protocol: 'UDP' },
        ],
      },
    }),
  );
  await t.step('as a table', 'GET', s.all, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority]),
      rows: b.rows.map((r) =>
        r.cells.map((c) =>
          typeof c === 'string'
            ? c
                .replace(/^\d+[smhd]$/, '<age>')
                .replace(/10\.0\.0\.\d+/, '<ip>')
                .replace(/:3\d{4}\//, ':<node port>/')
            : c,
        ),
      ),
    }),
  });
  await s.list('by type', '?fieldSelector=spec.type%3DLoadBalancer');
  await s.list('by clusterIP', '?fieldSelector=spec.clusterIP%3DNone');
  await s.list('by an unknown field', '?fieldSelector=spec.sessionAffinity%3DNone');
  await s.list('by label', '?labelSelector=l%3D1');
  await t.step('deletecollection', 'DELETE', `${s.all}?labelSelector=l%3D1`, {
    pick: (b) => [b.kind, names(b)],
  });
  await t.step('a proxy to a service that does not exist', 'GET', `${s.at('ghost')}/proxy/`);
}

export async function endpoints(t) {
  const e = await scene(t, 'v1', 'Endpoints', 'endpoints', 'conf-kinds-endpoints');
  const ep = (subsets) => e.make('f', { subsets });
  await e.create('an empty one', e.make('empty'), (b) => b);
  await e.create(
    'a whole one',
    e.make('a', {
      subsets: [
        {
          addresses: [
            {
              ip: '10.1.0.2',
              hostname: 'b',
              nodeName: 'n',
              targetRef: { kind: 'Pod', name: 'p', namespace: e.ns },
            },
            { ip: '10.1.0.1' },
          ],
          notReadyAddresses: [{ ip: '10.1.0.3' }],
          ports: [
            { port: 80, name: 'http' },
            { port: 53, protocol: 'UDP', name: 'dns', appProtocol: 'x' },
          ],
        },
      ],
    }),
  );
  await e.create(
    'subsets are kept apart',
    e.make('packed', {
      subsets: [
        { addresses: [{ ip: '10.1.0.2' }], ports: [{ port: 80 }] },
        { addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] },
      ],
    }),
    (b) => b.subsets,
  );
  await e.tries(
    [
      ['neither kind of address', ep([{ ports: [{ port: 80 }] }])],
      ['an address that is none', ep([{ addresses: [{ ip: 'x' }], ports: [{ port: 80 }] }])],
      ['a loopback address', ep([{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 80 }] }])],
      ['a link-local address', ep([{ addresses: [{ ip: '169.254.169.254' }], ports: [{ port: 80 }] }])],
      ['no ports', ep([{ addresses: [{ ip: '10.1.0.1' }] }])],
      ['a bad port', ep([{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 0 }] }])],
      ['ports without names', ep([{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 1 }, { port: 2 }] }])],
      ['an unknown protocol', ep([{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 1, protocol: 'X' }] }])],
      ['a bad host name', ep([{ addresses: [{ ip: '10.1.0.1', hostname: 'A_b' }], ports: [{ port: 1 }] }])],
    ],
    (b) => b.subsets,
  );
  await e.create(
    'a good one',
    e.make('g', {
      subsets: [
        {
          addresses: [{ ip: '10.1.0.2', hostname: 'b', nodeName: 'n' }, { ip: '10.1.0.1' }],
          notReadyAddresses: [{ ip: '10.1.0.3' }],
          ports: [
            { port: 80, name: 'http' },
            { port: 53, protocol: 'UDP', name: 'dns' },
          ],
        },
      ],
    }),
  );
  await e.patch(
    'merge',
    'g',
    { subsets: [{ addresses: [{ ip: '10.1.0.9' }], ports: [{ port: 81 }] }] },
    { type: MERGE },
  );
  await e.patch(
    'strategic replaces the subsets',
    'g',
    { subsets: [{ addresses: [{ ip: '10.1.0.8' }], ports: [{ port: 82 }] }] },
    { pick: (b) => b.subsets },
  );
  await e.table('as a table');
  await e.apply(
    'apply',
    'x',
    'alpha',
    e.make('x', { subsets: [{ addresses: [{ ip: '10.1.0.9' }], ports: [{ port: 81 }] }] }),
    { pick: owned },
  );
  await e.remove('delete', 'g');
}

export async function endpointSlices(t) {
  const e = await scene(t, 'discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', 'conf-kinds-slices');
  const slice = (rest) =>
    e.make('f', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'] }],
      ports: [{ port: 80 }],
      ...rest,
    });
  const s = ({ apiVersion, kind, metadata, ...rest }) => rest;
  await e.create('a minimal slice', e.make('a', { addressType: 'IPv4', endpoints: [] }), (b) => b);
  await e.create(
    'a whole one',
    e.make(
      'b',
      {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.1.0.1'],
            conditions: { ready: true, serving: true, terminating: false },
            hostname: 'h',
            nodeName: 'n',
            zone: 'z',
            targetRef: { kind: 'Pod', name: 'p', namespace: e.ns },
            hints: { forZones: [{ name: 'z' }] },
          },
          { addresses: ['10.1.0.2'], conditions: { ready: false } },
        ],
        ports: [
          { name: 'http', port: 80, appProtocol: 'http' },
          { name: 'dns', protocol: 'UDP', port: 53 },
        ],
      },
      { labels: { 'kubernetes.io/service-name': 'svc' } },
    ),
  );
  await e.tries(
    [
      ['no addressType', slice({ addressType: undefined })],
      ['an unknown addressType', slice({ addressType: 'IPX' })],
      ['FQDN', slice({ addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] })],
      ['IPv6', slice({ addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1'] }] })],
      ['IPv6 in a slice of IPv4', slice({ endpoints: [{ addresses: ['2001:db8::1'] }] })],
      ['no endpoints', slice({ endpoints: undefined })],
      ['no addresses', slice({ endpoints: [{ addresses: [] }] })],
      ['a bad address', slice({ endpoints: [{ addresses: ['x'] }] })],
      [
        'too many addresses',
        slice({ endpoints: [{ addresses: Array.from({ length: 101 }, (_, i) => `10.1.1.${i}`) }] }),
      ],
      ['a loopback address', slice({ endpoints: [{ addresses: ['127.0.0.1'] }] })],
      [
        'a port name twice',
        slice({
          ports: [
            { name: 'a', port: 1 },
            { name: 'a', port: 2 },
          ],
        }),
      ],
      ['a port without a number', slice({ ports: [{ name: 'a' }] })],
      ['an unknown protocol', slice({ ports: [{ port: 1, protocol: 'X' }] })],
      ['a bad host name', slice({ endpoints: [{ addresses: ['10.1.0.1'], hostname: 'A_b' }] })],
      ['an unknown field', slice({ topology: {} })],
    ],
    s,
  );
  await e.patch(
    'endpoints may change',
    'b',
    { endpoints: [{ addresses: ['10.1.0.3'] }] },
    { type: MERGE, pick: (b) => [b.metadata.generation, b.endpoints] },
  );
  await e.patch(
    'labels raise the generation',
    'b',
    { metadata: { labels: { x: 'y' } } },
    { type: MERGE, pick: (b) => b.metadata.generation },
  );
  await e.patch('addressType is immutable', 'b', { addressType: 'IPv6', endpoints: [] }, { type: MERGE });
  await e.table('as a table');
  await e.list('by service', '?labelSelector=kubernetes.io/service-name%3Dsvc');
  await e.apply(
    'apply',
    'x',
    'alpha',
    e.make('x', { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.0.3'] }], ports: [] }),
    { pick: owned },
  );
  await t.step('deletecollection', 'DELETE', e.all, { pick: (b) => [b.kind, names(b)] });
}
