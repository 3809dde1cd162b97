// Ingresses, ingress classes and network policies.
import { generation, MERGE, names, owned, scene, settle, spec } from './helpers/kinds.mjs';

const backend = (name = 's', port = { number: 80 }) => ({ service: { name, port } });
const path = (rest = {}) => ({ path: '/', pathType: 'Prefix', backend: backend(), ...rest });

export async function ingresses(t) {
  const i = await scene(t, 'networking.k8s.io/v1', 'Ingress', 'ingresses', 'conf-kinds-ingress');
  const classes = await scene(
    t,
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    undefined,
    'conf-kinds-ing',
  );
  const ing = (rest) =>
    i.make('f', { spec: { rules: [{ host: 'a.example.com', http: { paths: [path()] } }], ...rest } });
  const paths = (...p) => ing({ rules: [{ http: { paths: p } }] });
  await i.create('a default backend alone', i.make('a', { spec: { defaultBackend: backend() } }), (b) => b);
  await i.create(
    'a full one',
    i.make(
      'full',
      {
        spec: {
          ingressClassName: 'nginx',
          tls: [{ hosts: ['a.example.com', '*.example.org'], secretName: 'tls' }],
          rules: [
            {
              host: '*.example.org',
              http: {
                paths: [
                  path({ pathType: 'Exact', path: '/x', backend: backend('s', { name: 'http' }) }),
                  path({ pathType: 'ImplementationSpecific', path: '' }),
                ],
              },
            },
            { host: 'a.example.com' },
          ],
        },
      },
      { annotations: { 'example.com/rewrite': '/' } },
    ),
  );
  await i.tries([
    ['an empty spec', i.make('f', { spec: {} })],
    ['no spec', i.make('f')],
    ['no pathType', paths(path({ pathType: undefined }))],
    ['an unknown pathType', paths(path({ pathType: 'Regex' }))],
    ['a path that is not absolute', paths(path({ path: 'x' }))],
    ['a path with two slashes', paths(path({ path: '/a//b' }))],
    ['a path with dots', paths(path({ path: '/a/../b' }))],
    ['a path with an encoded slash', paths(path({ path: '/a%2fb' }))],
    ['no paths', ing({ rules: [{ http: { paths: [] } }] })],
    ['a host in capitals', ing({ rules: [{ host: 'A.example.com' }] })],
    ['a host that is an address', ing({ rules: [{ host: '127.0.0.1' }] })],
    ['a wildcard in the middle', ing({ rules: [{ host: 'a.*.example.com' }] })],
    ['a backend without a name', paths(path({ backend: { service: { port: { number: 80 } } } }))],
    ['a backend without a port', paths(path({ backend: { service: { name: 's' } } }))],
    ['a backend with both ports', paths(path({ backend: backend('s', { number: 80, name: 'http' }) }))],
    ['a backend with a bad port', paths(path({ backend: backend('s', { number: 0, name: 'Not_one' }) }))],
    ['a backend without anything', paths(path({ backend: {} }))],
    [
      'a resource backend',
      paths(path({ backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } } })),
    ],
    [
      'a backend of both kinds',
      paths(path({ backend: { ...backend(), resource: { kind: 'Bucket', name: 'b' } } })),
    ],
    [
      'the old backend',
      paths({ path: '/', pathType: 'Prefix', backend: { serviceName: 's', servicePort: 80 } }),
    ],
    ['a bad class name', ing({ ingressClassName: 'Not_one' })],
    ['a bad TLS host', ing({ tls: [{ hosts: ['a b'] }] })],
    ['a bad TLS secret', ing({ tls: [{ hosts: ['a.example.com'], secretName: 'Not_one' }] })],
    [
      'class and annotation',
      {
        ...ing({ ingressClassName: 'x' }),
        metadata: { name: 'f', annotations: { 'kubernetes.io/ingress.class': 'y' } },
      },
    ],
    [
      'the annotation alone is a warning',
      { ...ing({}), metadata: { name: 'f', annotations: { 'kubernetes.io/ingress.class': 'y' } } },
    ],
  ]);
  await classes.made(
    classes.make(
      'conf-kinds-ing-default',
      { spec: { controller: 'example.com/c' } },
      { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    ),
  );
  await settle(
    t,
    'the default class to be seen',
    async () =>
      (await t.client.request('POST', `${i.all}?dryRun=All`, { body: ing({}) })).body.spec.ingressClassName,
  );
  await i.create(
    'the default class is filled in',
    i.make('dc', { spec: { defaultBackend: backend() } }),
    spec,
  );
  await t.client.request('DELETE', classes.at('conf-kinds-ing-default'));
  await settle(
    t,
    'the default class to be forgotten',
    async () =>
      !(await t.client.request('POST', `${i.all}?dryRun=All`, { body: ing({}) })).body.spec.ingressClassName,
  );
  await i.put(
    'rules',
    'a',
    (o) => {
      o.spec.rules = [{ host: 'b.example.com', http: { paths: [path()] } }];
    },
    { pick: generation },
  );
  await i.patch(
    'strategic replaces the rules',
    'a',
    { spec: { rules: [{ host: 'c.example.com' }] } },
    { pick: spec },
  );
  await i.patch('merge', 'a', { spec: { ingressClassName: 'other' } }, { type: MERGE, pick: generation });
  await i.patch(
    'labels leave the generation',
    'a',
    { metadata: { labels: { a: 'b' } } },
    { type: MERGE, pick: (b) => b.metadata.generation },
  );
  await i.patch(
    'status',
    'a',
    {
      status: {
        loadBalancer: {
          ingress: [
            { ip: '127.0.0.5' },
            { hostname: 'lb.example.com', ports: [{ port: 80, protocol: 'TCP' }] },
          ],
        },
      },
      spec: { rules: null },
    },
    { sub: 'status', type: MERGE, pick: (b) => [b.status, b.spec.rules, b.metadata.generation] },
  );
  await i.patch(
    'a bad status',
    'a',
    { status: { loadBalancer: { ingress: [{ ip: 'x' }] } } },
    { sub: 'status', type: MERGE },
  );
  await i.table('as a table');
  await i.apply(
    'apply',
    'x',
    'alpha',
    i.make('x', { spec: { rules: [{ host: 'a.example.com', http: { paths: [path()] } }] } }),
    { pick: owned },
  );
  await i.apply(
    'rules are atomic',
    'x',
    'beta',
    i.make('x', { spec: { rules: [{ host: 'b.example.com', http: { paths: [path()] } }] } }),
  );
  await i.remove('delete', 'a');
  await t.step('extensions is gone', 'GET', `/apis/extensions/v1beta1/namespaces/${i.ns}/ingresses`);
  await t.step('v1beta1 is gone', 'GET', `/apis/networking.k8s.io/v1beta1/namespaces/${i.ns}/ingresses`);
}

export async function ingressClasses(t) {
  const c = await scene(
    t,
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    undefined,
    'conf-kinds-',
  );
  const cls = (rest) => c.make('conf-kinds-f', { spec: { controller: 'example.com/c', ...rest } });
  await c.create(
    'a minimal class',
    c.make('conf-kinds-a', { spec: { controller: 'example.com/c' } }),
    (b) => b,
  );
  await c.create(
    'with cluster parameters',
    c.make('conf-kinds-b', {
      spec: {
        controller: 'example.com/c',
        parameters: { apiGroup: 'example.com', kind: 'Params', name: 'p' },
      },
    }),
  );
  await c.tries([
    [
      'with parameters of a namespace',
      cls({ parameters: { kind: 'Params', name: 'p', scope: 'Namespace', namespace: 'default' } }),
    ],
    ['no controller', cls({ controller: '' })],
    ['a controller without a domain', cls({ controller: 'c' })],
    ['an unknown scope', cls({ parameters: { kind: 'P', name: 'p', scope: 'World' } })],
    ['a scope of a namespace without one', cls({ parameters: { kind: 'P', name: 'p', scope: 'Namespace' } })],
    [
      'a namespace with a cluster scope',
      cls({ parameters: { kind: 'P', name: 'p', scope: 'Cluster', namespace: 'default' } }),
    ],
    ['parameters without a kind', cls({ parameters: { name: 'p' } })],
    ['a bad name', c.make('Not_one', { spec: { controller: 'example.com/c' } })],
  ]);
  await c.patch(
    'the controller is immutable',
    'conf-kinds-a',
    { spec: { controller: 'example.com/d' } },
    { type: MERGE },
  );
  await c.patch(
    'parameters are not',
    'conf-kinds-a',
    { spec: { parameters: { kind: 'P', name: 'q' } } },
    { type: MERGE, pick: generation },
  );
  await t.step('as a table', 'GET', `${c.all}?fieldSelector=metadata.name%3Dconf-kinds-b`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => [
      b.columnDefinitions.map((x) => [x.name, x.type, x.priority]),
      b.rows.map((r) => r.cells.slice(0, 3)),
    ],
  });
  await c.remove('delete', 'conf-kinds-b');
}

export async function networkPolicies(t) {
  const n = await scene(t, 'networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', 'conf-kinds-netpol');
  const pol = (rest) => n.make('f', { spec: { podSelector: {}, ...rest } });
  const from = (...peers) => pol({ ingress: [{ from: peers }] });
  const ports = (...p) => pol({ ingress: [{ ports: p }] });
  await n.create('the least', n.make('a', { spec: { podSelector: {} } }), (b) => b);
  await n.create(
    'a full one',
    n.make('full', {
      spec: {
        podSelector: { matchLabels: { app: 'a' } },
        ingress: [
          {
            from: [
              { podSelector: { matchLabels: { x: 'y' } } },
              { namespaceSelector: {} },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
            ports: [
              { port: 80 },
              { port: 'http', protocol: 'TCP' },
              { protocol: 'UDP', port: 5000, endPort: 6000 },
            ],
          },
        ],
        egress: [{}],
      },
    }),
  );
  await n.tries([
    ['egress alone', pol({ egress: [{ to: [{ podSelector: {} }] }] })],
    ['no spec', n.make('f')],
    ['an empty spec', n.make('f', { spec: {} })],
    ['policy types', pol({ policyTypes: ['Egress'] })],
    ['an unknown policy type', pol({ policyTypes: ['Sideways'] })],
    ['a policy type twice', pol({ policyTypes: ['Ingress', 'Ingress'] })],
    ['three policy types', pol({ policyTypes: ['Ingress', 'Egress', 'Ingress'] })],
    ['an empty peer', from({})],
    ['a block with a selector', from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} })],
    ['a bad block', from({ ipBlock: { cidr: '10.0.0.0' } })],
    ['a block without a range', from({ ipBlock: {} })],
    ['an exception out of the block', from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } })],
    ['a bad label', from({ podSelector: { matchLabels: { a: 'b c' } } })],
    ['a port out of range', ports({ port: 70000 })],
    ['a bad port name', ports({ port: 'Not_one' })],
    ['an unknown protocol', ports({ port: 80, protocol: 'X' })],
    ['endPort without a port', ports({ endPort: 90 })],
    ['endPort below the port', ports({ port: 90, endPort: 80 })],
    ['endPort with a name', ports({ port: 'http', endPort: 80 })],
    ['an unknown field', pol({ ingres: [] })],
  ]);
  await n.put(
    'may change',
    'a',
    (o) => {
      o.spec.podSelector = { matchLabels: { z: 'z' } };
    },
    { pick: generation },
  );
  await n.patch(
    'strategic: policy types are replaced',
    'a',
    { spec: { policyTypes: ['Egress'] } },
    { pick: spec },
  );
  await n.table('as a table');
  await n.apply(
    'apply',
    'x',
    'alpha',
    n.make('x', { spec: { podSelector: { matchLabels: { app: 'a' } }, policyTypes: ['Ingress'] } }),
    { pick: owned },
  );
  await n.apply(
    'a conflict over a selector',
    'x',
    'beta',
    n.make('x', { spec: { podSelector: { matchLabels: { app: 'b' } } } }),
  );
  await n.apply(
    'an empty selector selects all',
    'y',
    'alpha',
    n.make('y', { spec: { podSelector: {}, egress: [] } }),
    { pick: owned },
  );
  await t.step('there is no status', 'GET', n.at('a', 'status'));
  await t.step('deletecollection', 'DELETE', n.all, { pick: (b) => [b.kind, names(b)] });
}
