// Deployments, replica sets, stateful sets, daemon sets and their older kin; no controller acts on them.
import {
  APPLY,
  container,
  event,
  generation,
  JSON_PATCH,
  lean,
  MERGE,
  names,
  owned,
  podSpec,
  STRATEGIC,
  scene,
  spec,
  status,
  TABLE,
  table,
  template,
} from './helpers/kinds.mjs';

const deployments = (t, name) => scene(t, 'apps/v1', 'Deployment', 'deployments', `conf-kinds-${name}`);
const selector = { matchLabels: { app: 'a' } };
const dspec = (rest = {}) => ({ selector, template: template(), ...rest });
const withContainers = (...containers) => ({ metadata: { labels: { app: 'a' } }, spec: { containers } });
const inner = (b) =>
  b.spec.template.spec.containers.map(({ name, image, env, ports, args }) => ({
    name,
    image,
    env,
    ports,
    args,
  }));
const scaled = (b) => ({
  kind: b.kind,
  apiVersion: b.apiVersion,
  name: b.metadata.name,
  spec: b.spec,
  status: b.status,
});

export async function deploymentDefaults(t) {
  const d = await deployments(t, 'dep-defaults');
  await d.create('a minimal deployment', d.make('a', { spec: dspec() }), (b) => b);
  await d.create('without kind and apiVersion', { metadata: { name: 'bare' }, spec: dspec() });
  await d.create(
    'a full one',
    d.make(
      'full',
      {
        spec: dspec({
          replicas: 3,
          minReadySeconds: 5,
          revisionHistoryLimit: 2,
          progressDeadlineSeconds: 60,
          paused: true,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '50%' } },
          template: {
            metadata: { labels: { app: 'a', v: '1' }, annotations: { note: 'x' } },
            spec: podSpec({
              containers: [
                container('web', {
                  ports: [{ containerPort: 8080, name: 'http' }],
                  env: [
                    { name: 'A', value: '1' },
                    { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
                  ],
                  envFrom: [{ configMapRef: { name: 'm' } }],
                  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
                  readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
                  volumeMounts: [{ name: 'conf', mountPath: '/conf', readOnly: true }],
                }),
              ],
              volumes: [{ name: 'conf', configMap: { name: 'm' } }],
              serviceAccountName: 'robot',
              nodeSelector: { disk: 'ssd' },
              tolerations: [{ key: 'k', operator: 'Exists' }],
              imagePullSecrets: [{ name: 'pull' }],
            }),
          },
        }),
      },
      { labels: { team: 'x' }, annotations: { 'deployment.kubernetes.io/revision': '1' } },
    ),
  );
  await d.tries(
    [
      ['Recreate', d.make('b', { spec: dspec({ strategy: { type: 'Recreate' } }) })],
      ['only maxSurge', d.make('b', { spec: dspec({ strategy: { rollingUpdate: { maxSurge: 2 } } }) })],
      ['an empty strategy', d.make('b', { spec: dspec({ strategy: {} }) })],
      ['replicas 0', d.make('b', { spec: dspec({ replicas: 0 }) })],
      ['replicas null', d.make('b', { spec: dspec({ replicas: null }) })],
      ['replicas false', d.make('b', { spec: dspec({ replicas: false }) })],
      ['replicas in a string', d.make('b', { spec: dspec({ replicas: '3' }) })],
      ['replicas with a fraction', d.make('b', { spec: dspec({ replicas: 1.5 }) })],
      [
        'replicas 2.0',
        JSON.stringify(d.make('b', { spec: dspec({ replicas: 7777 }) })).replace('7777', '2.0'),
      ],
      [
        'matchExpressions',
        d.make('b', {
          spec: dspec({
            selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] },
          }),
        }),
      ],
      [
        'a progress deadline of the largest integer',
        d.make('b', { spec: dspec({ progressDeadlineSeconds: 2147483647 }) }),
      ],
      [
        'a creationTimestamp in the template',
        d.make('b', {
          spec: dspec({
            template: { metadata: { labels: { app: 'a' }, creationTimestamp: null }, spec: podSpec() },
          }),
        }),
      ],
      ['status on create is dropped', { ...d.make('b', { spec: dspec() }), status: { replicas: 3 } }],
    ],
    (b) => ({ ...b.spec, template: { metadata: b.spec.template.metadata }, status: b.status }),
  );
  const { metadata } = await d.made({
    ...d.make(undefined, { spec: dspec() }),
    metadata: { generateName: 'gen-' },
  });
  t.note('generateName', /^gen-[a-z0-9]{5}$/.test(metadata.name));
  await t.step('other versions are gone', 'GET', '/apis/apps/v1beta1/deployments');
  await t.step('extensions is gone', 'GET', '/apis/extensions/v1beta1/deployments');
}

export async function deploymentFaults(t) {
  const d = await deployments(t, 'dep-faults');
  const dep = (rest) => d.make('f', { spec: dspec(rest) });
  const pod = (rest) => dep({ template: template({ app: 'a' }, rest) });
  await d.tries([
    ['no spec', d.make('f')],
    ['an empty spec', d.make('f', { spec: {} })],
    ['no selector', dep({ selector: undefined })],
    ['an empty selector', dep({ selector: {} })],
    ['no template', dep({ template: undefined })],
    [
      'a template without containers',
      dep({ template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } } }),
    ],
    ['a template without labels', dep({ template: { spec: podSpec() } })],
    ['labels that do not match', dep({ template: template({ app: 'b' }) })],
    [
      'a bad selector operator',
      dep({ selector: { matchExpressions: [{ key: 'app', operator: 'Is', values: ['a'] }] } }),
    ],
    ['In without values', dep({ selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } })],
    ['a bad label in the selector', dep({ selector: { matchLabels: { app: 'a b' } } })],
    ['a bad label key in the template', dep({ template: template({ app: 'a', 'b/c/d': 'x' }) })],
    ['negative replicas', dep({ replicas: -1 })],
    ['an unknown strategy', dep({ strategy: { type: 'Blue' } })],
    ['Recreate with rollingUpdate', dep({ strategy: { type: 'Recreate', rollingUpdate: {} } })],
    ['both 0', dep({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } })],
    ['a percentage above 100', dep({ strategy: { rollingUpdate: { maxUnavailable: '110%' } } })],
    ['no percentage', dep({ strategy: { rollingUpdate: { maxUnavailable: 'half' } } })],
    ['a negative surge', dep({ strategy: { rollingUpdate: { maxSurge: -1 } } })],
    ['negative minReadySeconds', dep({ minReadySeconds: -1 })],
    ['a deadline not above minReadySeconds', dep({ minReadySeconds: 60, progressDeadlineSeconds: 60 })],
    ['negative history', dep({ revisionHistoryLimit: -1 })],
    ['restartPolicy Never', pod({ restartPolicy: 'Never' })],
    ['a deadline in the template', pod({ activeDeadlineSeconds: 5 })],
    ['a container without an image', pod({ containers: [{ name: 'c' }] })],
    ['a container twice', pod({ containers: [container(), container()] })],
    [
      'several faults at once',
      d.make('F', {
        spec: dspec({
          replicas: -1,
          template: template({ app: 'b' }, { containers: [{ name: 'C', image: '' }] }),
        }),
      }),
    ],
    ['a bad quantity', pod({ containers: [container('c', { resources: { limits: { cpu: '1 core' } } })] })],
    ['a missing priority class is not looked at', pod({ priorityClassName: 'conf-none' })],
    ['ephemeral containers', pod({ ephemeralContainers: [{ name: 'e', image: 'i' }] })],
    ['a deprecated node label is a warning', pod({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } })],
    [
      'an env twice is a warning',
      pod({
        containers: [
          container('c', {
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          }),
        ],
      }),
    ],
    ['a long name', d.make('n'.repeat(64), { spec: dspec() })],
    ['a dotted name is a warning or not', d.make('a.b', { spec: dspec() })],
    ['a selector that is a list', dep({ selector: [] })],
    [
      'unknown fields are dropped with warnings',
      {
        ...d.make('f', {
          spec: dspec({ replica: 1, template: { ...template(), spec: podSpec({ container: [] }) } }),
        }),
        extra: 1,
      },
    ],
  ]);
  await d.tries(
    [
      [
        'strict: unknown fields',
        {
          ...d.make('f', {
            spec: dspec({
              replica: 1,
              template: { ...template(), spec: podSpec({ containers: [container('c', { comand: [] })] }) },
            }),
          }),
          extra: 1,
        },
      ],
      ['strict: a field in the wrong place', d.make('f', { spec: dspec({ containers: [] }) })],
      [
        'strict: a key twice',
        JSON.stringify(dep({})).replace('"selector":', '"replicas":1,"replicas":2,"selector":'),
      ],
      ['strict: a good one', dep({})],
    ],
    spec,
    '&fieldValidation=Strict',
  );
}

export async function deploymentUpdates(t) {
  const d = await deployments(t, 'dep-updates');
  await d.made(d.make('u', { spec: dspec() }, { labels: { l: '1' } }));
  const meta = (b) => [b.metadata.generation, b.spec.replicas, b.spec.template.spec.containers[0].image];
  await d.put('the image', 'u', (o) => {
    o.spec.template.spec.containers[0].image = 'example.com/app:2';
  });
  await d.put(
    'replicas',
    'u',
    (o) => {
      o.spec.replicas = 4;
    },
    { pick: meta },
  );
  await d.put(
    'labels leave the generation',
    'u',
    (o) => {
      o.metadata.labels = { l: '2' };
    },
    { pick: meta },
  );
  await d.put(
    'annotations raise it',
    'u',
    (o) => {
      o.metadata.annotations = { note: 'x' };
    },
    { pick: meta },
  );
  await d.put('nothing', 'u', () => {}, { pick: lean });
  await d.put('the selector is immutable', 'u', (o) => {
    o.spec.selector.matchLabels = { app: 'b' };
    o.spec.template.metadata.labels.app = 'b';
  });
  await d.put(
    'a label in the template beside the selector',
    'u',
    (o) => {
      o.spec.template.metadata.labels.v = '2';
    },
    { pick: (b) => b.spec.template.metadata },
  );
  await d.put('template labels that no longer match', 'u', (o) => {
    o.spec.template.metadata.labels = { app: 'z' };
  });
  await d.put('from RollingUpdate to Recreate with its rest', 'u', (o) => {
    o.spec.strategy.type = 'Recreate';
  });
  await d.put(
    'from RollingUpdate to Recreate',
    'u',
    (o) => {
      o.spec.strategy = { type: 'Recreate' };
    },
    { pick: (b) => b.spec.strategy },
  );
  await d.put(
    'and back, with defaults',
    'u',
    (o) => {
      o.spec.strategy = { type: 'RollingUpdate' };
    },
    { pick: (b) => b.spec.strategy },
  );
  await d.put(
    'replicas left out become 1',
    'u',
    (o) => {
      delete o.spec.replicas;
    },
    { pick: meta },
  );
  await d.put(
    'paused',
    'u',
    (o) => {
      o.spec.paused = true;
    },
    { pick: (b) => [b.metadata.generation, b.spec.paused] },
  );
  await d.put(
    'status is ignored',
    'u',
    (o) => {
      o.status = { replicas: 9 };
    },
    { pick: (b) => [b.metadata.generation, b.status] },
  );
  await d.put('no template', 'u', (o) => {
    delete o.spec.template;
  });
  await t.step('a whole new body without a resourceVersion', 'PUT', d.at('u'), {
    body: d.make('u', { spec: dspec({ replicas: 2 }) }),
    pick: lean,
  });
  await t.step('a stale one', 'PUT', d.at('u'), {
    body: d.make('u', { spec: dspec({ replicas: 3 }) }, { resourceVersion: '1' }),
  });
  await t.step('an unknown one', 'PUT', d.at('none'), { body: d.make('none', { spec: dspec() }) });
  await t.step('a dry run', 'PUT', `${d.at('u')}?dryRun=All`, {
    body: d.make('u', { spec: dspec({ replicas: 8 }) }),
    pick: meta,
  });
  await d.get('did nothing', 'u', meta);
}

export async function deploymentStrategicPatches(t) {
  const d = await deployments(t, 'dep-strategic');
  await d.made(
    d.make('s', {
      spec: dspec({
        template: {
          metadata: { labels: { app: 'a' } },
          spec: podSpec({
            containers: [
              container('a', {
                args: ['1', '2'],
                env: [
                  { name: 'X', value: '1' },
                  { name: 'Y', value: '2' },
                ],
                ports: [
                  { containerPort: 80, name: 'http' },
                  { containerPort: 53, name: 'dns', protocol: 'UDP' },
                  { containerPort: 53, name: 'dns-tcp' },
                ],
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
              }),
              container('b'),
            ],
            volumes: [{ name: 'v', emptyDir: {} }],
            tolerations: [{ key: 'k', operator: 'Exists' }],
            imagePullSecrets: [{ name: 'one' }],
            hostAliases: [{ ip: '127.0.0.1', hostnames: ['a'] }],
          }),
        },
      }),
    }),
  );
  const pod = (p) => ({ spec: { template: { spec: p } } });
  const a = (rest) => pod({ containers: [{ name: 'a', ...rest }] });
  const tpl = (b) => b.spec.template.spec;
  await d.patch("an image by the container's name", 's', a({ image: 'example.com/a:2' }), { pick: inner });
  await d.patch('a new container goes first', 's', pod({ containers: [{ name: 'new', image: 'n' }] }), {
    pick: inner,
  });
  await d.patch(
    'an order',
    's',
    pod({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }, { name: 'new' }] }),
    { pick: inner },
  );
  await d.patch(
    'an order that leaves one out',
    's',
    pod({ '$setElementOrder/containers': [{ name: 'new' }, { name: 'b' }] }),
    { pick: inner },
  );
  await d.patch('$patch: delete', 's', pod({ containers: [{ name: 'new', $patch: 'delete' }] }), {
    pick: inner,
  });
  await d.patch(
    '$patch: delete of one that is not there',
    's',
    pod({ containers: [{ name: 'ghost', $patch: 'delete' }] }),
    { pick: inner },
  );
  await d.patch(
    'an env added and one changed',
    's',
    a({
      env: [
        { name: 'Y', value: '3' },
        { name: 'Z', value: '4' },
      ],
    }),
    { pick: inner },
  );
  await d.patch(
    'an env from a value to a source',
    's',
    a({ env: [{ name: 'Z', value: null, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    { pick: inner },
  );
  await d.patch(
    'an env deleted, in order',
    's',
    a({ '$setElementOrder/env': [{ name: 'Z' }, { name: 'X' }], env: [{ name: 'Y', $patch: 'delete' }] }),
    { pick: inner },
  );
  await d.patch(
    '$patch: replace of the env',
    's',
    a({ env: [{ $patch: 'replace' }, { name: 'Q', value: '9' }] }),
    { pick: inner },
  );
  await d.patch('args are replaced whole', 's', a({ args: ['3'] }), { pick: inner });
  await d.patch(
    'ports merge by their number alone',
    's',
    a({ ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }),
    { pick: inner },
  );
  await d.patch(
    'two ports of one number',
    's',
    a({ ports: [{ containerPort: 53, protocol: 'UDP', name: 'dns2' }] }),
    { pick: inner },
  );
  await d.patch('volumes by name', 's', pod({ volumes: [{ name: 'w', secret: { secretName: 's' } }] }), {
    pick: (b) => tpl(b).volumes,
  });
  await d.patch(
    'a volume of another kind needs $retainKeys',
    's',
    pod({ volumes: [{ name: 'w', configMap: { name: 'm' } }] }),
    { pick: (b) => tpl(b).volumes },
  );
  await d.patch(
    '$retainKeys',
    's',
    pod({ volumes: [{ name: 'w', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } }] }),
    { pick: (b) => tpl(b).volumes },
  );
  await d.patch('mounts by their path', 's', a({ volumeMounts: [{ mountPath: '/w', name: 'w' }] }), {
    pick: (b) => tpl(b).containers.find((c) => c.name === 'a').volumeMounts,
  });
  await d.patch('tolerations are replaced', 's', pod({ tolerations: [{ key: 'z', operator: 'Exists' }] }), {
    pick: (b) => tpl(b).tolerations,
  });
  await d.patch('pull secrets by name', 's', pod({ imagePullSecrets: [{ name: 'two' }] }), {
    pick: (b) => tpl(b).imagePullSecrets,
  });
  await d.patch(
    'host aliases by ip',
    's',
    pod({
      hostAliases: [
        { ip: '127.0.0.2', hostnames: ['b'] },
        { ip: '127.0.0.1', hostnames: ['c'] },
      ],
    }),
    { pick: (b) => tpl(b).hostAliases },
  );
  await d.patch('an init container', 's', pod({ initContainers: [{ name: 'i', image: 'i' }] }), {
    pick: (b) => tpl(b).initContainers.map((c) => c.name),
  });
  await d.patch(
    'a spread constraint by its keys',
    's',
    pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }],
    }),
    { pick: (b) => tpl(b).topologySpreadConstraints },
  );
  await d.patch(
    'another one of the same key',
    's',
    pod({
      topologySpreadConstraints: [{ maxSkew: 2, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway' }],
    }),
    { pick: (b) => tpl(b).topologySpreadConstraints ?? b },
  );
  await d.patch(
    'the strategy keeps only what its type needs',
    's',
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    { pick: (b) => b.spec.strategy },
  );
  await d.patch(
    'a strategy without $retainKeys',
    's',
    { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } } },
    { pick: (b) => b.spec.strategy },
  );
  await d.patch('Recreate over a rolling update', 's', { spec: { strategy: { type: 'Recreate' } } });
  await d.patch('matchLabels are immutable too', 's', { spec: { selector: { matchLabels: { b: 'c' } } } });
  await d.patch(
    'kubectl rollout restart',
    's',
    { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'then' } } } } },
    { pick: (b) => [b.metadata.generation, b.spec.template.metadata] },
  );
  await d.patch(
    '$patch: replace of the pod spec',
    's',
    pod({ $patch: 'replace', containers: [{ name: 'only', image: 'o' }] }),
    { pick: spec },
  );
  await d.patch(
    'a label in $patch: delete of the map',
    's',
    { metadata: { labels: { $patch: 'delete' } } },
    { pick: (b) => b.metadata.labels ?? 'none' },
  );
  await d.patch(
    'an env without its key',
    's',
    pod({ containers: [{ name: 'only', env: [{ value: 'x' }] }] }),
  );
  await d.patch('an unknown $patch', 's', pod({ containers: [{ name: 'only', $patch: 'turn' }] }));
}

export async function deploymentOtherPatches(t) {
  const d = await deployments(t, 'dep-patches');
  await d.made(
    d.make(
      'p',
      {
        spec: dspec({
          replicas: 2,
          template: withContainers(container('a', { env: [{ name: 'X', value: '1' }] }), container('b')),
        }),
      },
      { labels: { l: '1' }, annotations: { a: '1' } },
    ),
  );
  const M = { type: MERGE };
  const J = { type: JSON_PATCH };
  await d.patch('merge: replicas', 'p', { spec: { replicas: 5 } }, { ...M, pick: generation });
  await d.patch(
    'merge: replicas null is the default',
    'p',
    { spec: { replicas: null } },
    { ...M, pick: (b) => b.spec.replicas },
  );
  await d.patch(
    'merge: a list is replaced',
    'p',
    { spec: { template: { spec: { containers: [{ name: 'only', image: 'o' }] } } } },
    { ...M, pick: inner },
  );
  await d.patch('merge: the selector', 'p', { spec: { selector: { matchLabels: { x: 'y' } } } }, M);
  await d.patch(
    'merge: labels null',
    'p',
    { metadata: { labels: null } },
    { ...M, pick: (b) => b.metadata.labels ?? 'none' },
  );
  await d.patch('merge: the name', 'p', { metadata: { name: 'q' } }, M);
  await d.patch('merge: the kind', 'p', { kind: 'StatefulSet' }, M);
  await d.patch(
    'merge: an unknown field',
    'p',
    { spec: { nope: 1 } },
    { ...M, pick: (b) => b.metadata.generation },
  );
  await d.patch('merge: a wrong type', 'p', { spec: { replicas: 'two' } }, M);
  await d.patch('merge: broken JSON', 'p', '{"spec":', M);
  await d.patch(
    'JSON: add a container',
    'p',
    [{ op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'z', image: 'z' } }],
    { ...J, pick: inner },
  );
  await d.patch(
    'JSON: move, copy, remove',
    'p',
    [
      { op: 'copy', from: '/spec/template/metadata/labels/app', path: '/metadata/annotations/app' },
      { op: 'move', from: '/metadata/annotations/a', path: '/metadata/annotations/b' },
      { op: 'remove', path: '/spec/template/spec/containers/1' },
    ],
    { ...J, pick: (b) => [b.metadata.annotations, inner(b)] },
  );
  await d.patch(
    'JSON: replace what is not there',
    'p',
    [{ op: 'replace', path: '/spec/template/spec/nodeName', value: 'x' }],
    J,
  );
  await d.patch('JSON: remove what is not there', 'p', [{ op: 'remove', path: '/spec/nothing' }], J);
  await d.patch(
    'JSON: remove the containers',
    'p',
    [{ op: 'remove', path: '/spec/template/spec/containers' }],
    J,
  );
  await d.patch('JSON: an unknown operation', 'p', [{ op: 'turn', path: '/spec' }], J);
  await d.patch(
    'JSON: a failing test',
    'p',
    [
      { op: 'test', path: '/spec/replicas', value: 99 },
      { op: 'replace', path: '/spec/replicas', value: 1 },
    ],
    J,
  );
  await t.step('an unknown patch type', 'PATCH', d.at('p'), { body: {}, type: 'application/json' });
}

export async function deploymentApply(t) {
  const d = await deployments(t, 'dep-apply');
  const dep = (
    rest,
    containers = [container('a', { ports: [{ containerPort: 80 }], env: [{ name: 'X', value: '1' }] })],
    meta = {},
  ) => d.make('d', { spec: { selector, template: withContainers(...containers), ...rest } }, meta);
  const pick = (b) => {
    const o = owned(b);
    return {
      replicas: b.spec.replicas,
      strategy: b.spec.strategy,
      containers: inner(b),
      labels: b.metadata.labels,
      generation: b.metadata.generation,
      owners: o.owners,
    };
  };
  await d.apply('create', 'd', 'alpha', dep({ replicas: 2 }), { pick: owned });
  await d.apply('the same again', 'd', 'alpha', dep({ replicas: 2 }), { pick });
  await d.apply(
    'another container by another manager',
    'd',
    'beta',
    d.make('d', { spec: { template: { spec: { containers: [{ name: 'side', image: 's' }] } } } }),
    { pick },
  );
  await d.apply(
    'an env in the first container by another manager',
    'd',
    'gamma',
    d.make('d', {
      spec: { template: { spec: { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }] } } },
    }),
    { pick },
  );
  await d.apply('a conflict over replicas', 'd', 'scaler', d.make('d', { spec: { replicas: 5 } }));
  await d.apply('by force', 'd', 'scaler', d.make('d', { spec: { replicas: 5 } }), {
    query: '&force=true',
    pick,
  });
  await d.apply('the first gives replicas up', 'd', 'alpha', dep({}), { pick });
  await d.apply('the first drops its env and port', 'd', 'alpha', dep({}, [container('a')]), { pick });
  await d.apply('the second drops its container', 'd', 'beta', d.make('d'), { pick });
  await d.apply(
    'ports of one number and two protocols',
    'd',
    'alpha',
    dep({}, [
      container('a', {
        ports: [
          { containerPort: 53, protocol: 'UDP' },
          { containerPort: 53, protocol: 'TCP' },
        ],
      }),
    ]),
    { pick },
  );
  await d.apply(
    'a port twice',
    'd',
    'alpha',
    dep({}, [container('a', { ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'TCP' }] })]),
  );
  await d.apply(
    'an env twice',
    'd',
    'alpha',
    dep({}, [
      container('a', {
        env: [
          { name: 'X', value: '1' },
          { name: 'X', value: '2' },
        ],
      }),
    ]),
    { pick },
  );
  await d.apply(
    'the selector',
    'd',
    'alpha',
    { ...dep({}), spec: { selector: { matchLabels: { app: 'z' } } } },
    { query: '&force=true' },
  );
  await d.apply('a merge patch takes the image', 'd', 'alpha', dep({}, [container('a')]), { pick });
  await t.setup('PATCH', `${d.at('d')}?fieldManager=kubectl-set`, {
    body: { spec: { template: { spec: { containers: [{ name: 'a', image: 'other' }] } } } },
    type: STRATEGIC,
  });
  await d.apply('so that apply conflicts', 'd', 'alpha', dep({}, [container('a')]));
  await t.setup('PATCH', `${d.at('d', 'scale')}?fieldManager=hpa`, {
    body: { spec: { replicas: 7 } },
    type: MERGE,
  });
  await d.get('the scale subresource owns replicas', 'd', pick);
  await d.apply('a conflict with the scale', 'd', 'scaler', d.make('d', { spec: { replicas: 5 } }));
  await d.apply('an unknown field', 'd', 'alpha', dep({ nope: 1 }));
  await d.apply('a wrong type', 'd', 'alpha', dep({ replicas: 'x' }));
  await d.apply(
    'the status',
    'd',
    'ctl',
    d.make('d', {
      status: { replicas: 1, conditions: [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }] },
    }),
    { sub: 'status', pick: (b) => [b.status, owned(b).owners['ctl Apply v1 status']] },
  );
  await d.apply(
    'apply without a selector creates nothing',
    'none',
    'alpha',
    d.make('none', { spec: { template: withContainers(container()) } }),
  );
}

export async function deploymentStatusAndScale(t) {
  const d = await deployments(t, 'dep-scale');
  await d.made(
    d.make('s', {
      spec: dspec({
        replicas: 2,
        selector: {
          matchLabels: { app: 'a' },
          matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x', 'y'] }],
        },
      }),
    }),
  );
  await d.get('status', 's', lean, 'status');
  await d.put(
    'update of the status',
    's',
    (o) => {
      o.status = {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
        conditions: [
          {
            type: 'Available',
            status: 'False',
            reason: 'R',
            message: 'm',
            lastUpdateTime: '2026-01-02T03:04:05Z',
            lastTransitionTime: '2026-01-02T03:04:05Z',
          },
        ],
      };
    },
    { sub: 'status' },
  );
  await d.put(
    'spec and labels are ignored there',
    's',
    (o) => {
      o.spec.replicas = 50;
      o.metadata.labels = { z: 'z' };
      o.metadata.annotations = { y: 'y' };
    },
    {
      sub: 'status',
      pick: (b) => [
        b.spec.replicas,
        b.metadata.labels ?? 'none',
        b.metadata.annotations ?? 'none',
        b.metadata.generation,
      ],
    },
  );
  await d.patch(
    'a condition by its type',
    's',
    { status: { conditions: [{ type: 'Progressing', status: 'True' }] } },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await d.patch(
    'merge patch',
    's',
    { status: { readyReplicas: 2 } },
    { sub: 'status', type: MERGE, pick: (b) => [b.status.readyReplicas, b.metadata.generation] },
  );
  await d.patch('negative replicas', 's', { status: { replicas: -1 } }, { sub: 'status', type: MERGE });
  await d.patch(
    'more available than ready',
    's',
    { status: { availableReplicas: 5 } },
    { sub: 'status', type: MERGE },
  );
  await d.patch(
    'collisionCount cannot go down',
    's',
    { status: { collisionCount: 2 } },
    { sub: 'status', type: MERGE, pick: (b) => b.status.collisionCount },
  );
  await d.patch('nor so', 's', { status: { collisionCount: 1 } }, { sub: 'status', type: MERGE });
  await d.get('scale', 's', (b) => b, 'scale');
  const scale = (replicas, rest = {}) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 's', namespace: d.ns, ...rest },
    spec: { replicas },
  });
  await t.step('update of the scale', 'PUT', d.at('s', 'scale'), { body: scale(4), pick: scaled });
  await d.get('raises the generation', 's', (b) => [b.metadata.generation, b.spec.replicas]);
  await d.patch(
    'merge patch of the scale',
    's',
    { spec: { replicas: 6 } },
    { sub: 'scale', type: MERGE, pick: scaled },
  );
  await d.patch(
    'strategic merge patch of the scale',
    's',
    { spec: { replicas: 7 } },
    { sub: 'scale', pick: scaled },
  );
  await d.patch('JSON patch of the scale', 's', [{ op: 'replace', path: '/spec/replicas', value: 1 }], {
    sub: 'scale',
    type: JSON_PATCH,
    pick: scaled,
  });
  await d.patch('to 0', 's', { spec: { replicas: 0 } }, { sub: 'scale', type: MERGE, pick: scaled });
  await t.step('a negative scale', 'PUT', d.at('s', 'scale'), { body: scale(-1) });
  await t.step('a stale scale', 'PUT', d.at('s', 'scale'), { body: scale(3, { resourceVersion: '1' }) });
  await t.step('another name', 'PUT', d.at('s', 'scale'), { body: scale(3, { name: 'x' }) });
  await t.step('another kind', 'PUT', d.at('s', 'scale'), { body: d.make('s', { spec: dspec() }) });
  await t.step('a dry run', 'PUT', `${d.at('s', 'scale')}?dryRun=All`, { body: scale(9), pick: scaled });
  await d.patch('an apply of the scale', 's', scale(3), {
    sub: 'scale',
    type: APPLY,
    query: '?fieldManager=x&force=true',
    pick: scaled,
  });
  await t.step('scale of one that does not exist', 'GET', d.at('none', 'scale'));
  await t.step('delete of the scale', 'DELETE', d.at('s', 'scale'));
  await t.step('scale as a table', 'GET', d.at('s', 'scale'), { headers: TABLE, pick: table });
}

export async function deploymentListsAndDeletion(t) {
  const d = await deployments(t, 'dep-lists');
  await d.made(d.make('a', { spec: dspec({ replicas: 3 }) }, { labels: { team: 'x' } }));
  await d.made(
    d.make(
      'b',
      { spec: dspec({ template: withContainers(container('one'), container('two', { image: 'i2' })) }) },
      { labels: { team: 'y' } },
    ),
  );
  await d.made(d.make('c', { spec: dspec() }, { finalizers: ['example.com/hold'] }));
  await t.setup('PATCH', d.at('a', 'status'), {
    body: { status: { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 } },
    type: MERGE,
  });
  await d.table('as a table');
  await d.list('by label', '?labelSelector=team%3Dx');
  await d.list('by name', '?fieldSelector=metadata.name%3Db');
  await d.list('by a field that is not selectable', '?fieldSelector=spec.replicas%3D3');
  await t.step(
    'of all namespaces',
    'GET',
    `/apis/apps/v1/deployments?fieldSelector=metadata.namespace%3D${d.ns}`,
    { pick: (b) => ({ kind: b.kind, names: names(b) }) },
  );
  const {
    metadata: { resourceVersion: rv },
  } = await t.setup('GET', d.all);
  await t.watch(
    'watch',
    `${d.all}?watch=1&resourceVersion=${rv}&labelSelector=team%3Dx`,
    { count: 4, pick: event },
    async () => {
      await t.setup('PATCH', d.at('a', 'scale'), { body: { spec: { replicas: 1 } }, type: MERGE });
      await t.setup('PATCH', d.at('b'), { body: { metadata: { labels: { team: 'x' } } }, type: MERGE });
      await t.setup('PATCH', d.at('b'), { body: { metadata: { labels: { team: 'y' } } }, type: MERGE });
      await t.setup('DELETE', d.at('a'));
    },
  );
  await d.remove('delete answers a Status', 'b');
  await d.remove('a finalizer makes it answer the object', 'c');
  await d.get('which is being deleted', 'c', (b) => [
    b.metadata.generation,
    Boolean(b.metadata.deletionTimestamp),
    b.metadata.deletionGracePeriodSeconds,
  ]);
  await d.patch(
    'without the finalizer it goes',
    'c',
    { metadata: { finalizers: null } },
    { type: MERGE, pick: (b) => b.metadata.generation },
  );
  await d.remove('it is gone', 'c');
  await d.made(d.make('f', { spec: dspec() }));
  await d.remove('foreground', 'f', '?propagationPolicy=Foreground', (b) => [
    b.kind,
    b.metadata.finalizers,
    b.metadata.generation,
  ]);
  await d.made(d.make('o', { spec: dspec() }));
  await d.remove('orphan', 'o', '?propagationPolicy=Orphan', (b) => [b.kind, b.metadata.finalizers]);
  await t.step('deletecollection', 'DELETE', `${d.all}?dryRun=All`, { pick: (b) => [b.kind, names(b)] });
}

export async function replicaSets(t) {
  const r = await scene(t, 'apps/v1', 'ReplicaSet', 'replicasets', 'conf-kinds-rs');
  const rs = (rest) => r.make('f', { spec: { selector, template: template(), ...rest } });
  await r.create(
    'a minimal replica set',
    r.make('a', { spec: { selector, template: template() } }),
    (b) => b,
  );
  await r.create(
    'with an owner',
    r.make(
      'owned',
      { spec: { replicas: 0, minReadySeconds: 3, selector, template: template() } },
      {
        labels: { app: 'a' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'd',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    ),
  );
  await r.tries([
    ['no selector', rs({ selector: undefined })],
    ['no template', rs({ template: undefined })],
    ['labels that do not match', rs({ template: template({ app: 'b' }) })],
    ['negative replicas', rs({ replicas: -1 })],
    ['restartPolicy OnFailure', rs({ template: template({ app: 'a' }, { restartPolicy: 'OnFailure' }) })],
    ['an unknown field', rs({ strategy: {} })],
  ]);
  await r.put(
    'replicas',
    'a',
    (o) => {
      o.spec.replicas = 3;
    },
    { pick: (b) => [b.metadata.generation, b.spec.replicas] },
  );
  await r.put('the selector is immutable', 'a', (o) => {
    o.spec.selector.matchLabels.app = 'b';
    o.spec.template.metadata.labels.app = 'b';
  });
  await r.patch(
    'a container by name',
    'a',
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'two' }] } } } },
    { pick: inner },
  );
  await r.get('scale', 'a', (b) => b, 'scale');
  await r.patch(
    'the scale patched',
    'a',
    { spec: { replicas: 5 } },
    { sub: 'scale', type: MERGE, pick: scaled },
  );
  await r.put(
    'status',
    'a',
    (o) => {
      o.status = {
        replicas: 5,
        fullyLabeledReplicas: 4,
        readyReplicas: 3,
        availableReplicas: 2,
        observedGeneration: 4,
      };
      o.spec.replicas = 9;
    },
    { sub: 'status' },
  );
  await r.patch(
    'more ready than there are',
    'a',
    { status: { readyReplicas: 9 } },
    { sub: 'status', type: MERGE },
  );
  await r.list('by status.replicas', '?fieldSelector=status.replicas%3D5');
  await r.list('by an unknown field', '?fieldSelector=spec.replicas%3D5');
  await r.table('as a table');
  await r.apply('apply', 'x', 'alpha', r.make('x', { spec: { selector, template: template() } }), {
    pick: owned,
  });
  await r.apply(
    'a conflict',
    'x',
    'beta',
    r.make('x', { spec: { template: { spec: { containers: [{ name: 'c', image: 'two' }] } } } }),
  );
  await r.remove('delete', 'a');
  await t.step('deletecollection', 'DELETE', r.all, { pick: (b) => [b.kind, names(b)] });
}

export async function statefulSets(t) {
  const s = await scene(t, 'apps/v1', 'StatefulSet', 'statefulsets', 'conf-kinds-sts');
  const claim = (name, rest = {}) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...rest },
  });
  const sts = (rest) =>
    s.make('f', { spec: { selector, serviceName: 'svc', template: template(), ...rest } });
  await s.create(
    'a minimal stateful set',
    s.make('a', { spec: { selector, template: template() } }),
    (b) => b,
  );
  await s.create(
    'a full one',
    s.make('full', {
      spec: {
        selector,
        serviceName: 'svc',
        replicas: 3,
        podManagementPolicy: 'Parallel',
        revisionHistoryLimit: 5,
        minReadySeconds: 2,
        ordinals: { start: 1 },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
        volumeClaimTemplates: [claim('data')],
        template: template(
          { app: 'a' },
          { containers: [container('c', { volumeMounts: [{ name: 'data', mountPath: '/data' }] })] },
        ),
      },
    }),
  );
  await s.tries([
    ['OnDelete', sts({ updateStrategy: { type: 'OnDelete' } })],
    [
      'OnDelete with rollingUpdate',
      sts({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
    ],
    ['an unknown update strategy', sts({ updateStrategy: { type: 'Recreate' } })],
    ['a negative partition', sts({ updateStrategy: { rollingUpdate: { partition: -1 } } })],
    ['maxUnavailable', sts({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })],
    ['an unknown pod management', sts({ podManagementPolicy: 'Chaos' })],
    ['an unknown retention policy', sts({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Archive' } })],
    ['negative ordinals', sts({ ordinals: { start: -1 } })],
    ['no selector', sts({ selector: undefined })],
    ['an empty selector', sts({ selector: {} })],
    ['no template', sts({ template: undefined })],
    ['labels that do not match', sts({ template: template({ app: 'b' }) })],
    ['negative replicas', sts({ replicas: -1 })],
    ['restartPolicy Never', sts({ template: template({ app: 'a' }, { restartPolicy: 'Never' }) })],
    ['a claim template without a size', sts({ volumeClaimTemplates: [claim('d', { resources: {} })] })],
    [
      'a claim template with an empty storage class',
      sts({ volumeClaimTemplates: [claim('d', { storageClassName: '' })] }),
    ],
    [
      'a claim template without access modes',
      sts({ volumeClaimTemplates: [claim('d', { accessModes: [] })] }),
    ],
    [
      'a claim template serves as a volume',
      sts({
        volumeClaimTemplates: [claim('d')],
        template: template(
          { app: 'a' },
          { containers: [container('c', { volumeMounts: [{ name: 'd', mountPath: '/d' }] })] },
        ),
      }),
    ],
    ['a long name', s.make('n'.repeat(64), { spec: { selector, template: template() } })],
    ['a dotted name', s.make('a.b', { spec: { selector, template: template() } })],
    ['a bad service name', sts({ serviceName: 'Not_good' })],
  ]);
  const put = (label, change, pick) => s.put(label, 'full', change, { pick });
  await put(
    'replicas, template and strategy may change',
    (o) => {
      o.spec.replicas = 1;
      o.spec.template.spec.containers[0].image = 'two';
      o.spec.updateStrategy = { type: 'OnDelete' };
      o.spec.minReadySeconds = 9;
    },
    generation,
  );
  await put(
    'the retention policy and ordinals',
    (o) => {
      o.spec.persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
      o.spec.ordinals = { start: 2 };
    },
    (b) => [b.metadata.generation, b.spec.persistentVolumeClaimRetentionPolicy, b.spec.ordinals],
  );
  await put('serviceName may not', (o) => {
    o.spec.serviceName = 'other';
  });
  await put('the selector may not', (o) => {
    o.spec.selector.matchLabels.app = 'b';
    o.spec.template.metadata.labels.app = 'b';
  });
  await put('claim templates may not', (o) => {
    o.spec.volumeClaimTemplates[0].spec.resources.requests.storage = '2Gi';
  });
  await put('pod management may not', (o) => {
    o.spec.podManagementPolicy = 'OrderedReady';
  });
  await s.patch(
    'strategic: the image by name',
    'a',
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'three' }] } } } },
    { pick: inner },
  );
  await s.get('scale', 'a', (b) => b, 'scale');
  await s.patch(
    'the scale patched',
    'a',
    { spec: { replicas: 2 } },
    { sub: 'scale', type: MERGE, pick: scaled },
  );
  await s.put(
    'status',
    'a',
    (o) => {
      o.status = {
        replicas: 2,
        readyReplicas: 1,
        currentReplicas: 1,
        updatedReplicas: 1,
        availableReplicas: 0,
        currentRevision: 'r1',
        updateRevision: 'r2',
        observedGeneration: 3,
        collisionCount: 0,
      };
      o.spec.replicas = 8;
    },
    { sub: 'status' },
  );
  await s.patch(
    'a status with too many ready',
    'a',
    { status: { readyReplicas: 5 } },
    { sub: 'status', type: MERGE },
  );
  await s.patch(
    'a condition',
    'a',
    { status: { conditions: [{ type: 'X', status: 'True' }] } },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await s.table('as a table');
  await s.apply(
    'apply with a claim template',
    'x',
    'alpha',
    s.make('x', {
      spec: { selector, serviceName: 'svc', template: template(), volumeClaimTemplates: [claim('data')] },
    }),
    { pick: owned },
  );
  await s.apply(
    'again',
    'x',
    'alpha',
    s.make('x', {
      spec: { selector, serviceName: 'svc', template: template(), volumeClaimTemplates: [claim('data')] },
    }),
    { pick: (b) => b.metadata.generation },
  );
  await s.remove('delete', 'a');
  await t.step('deletecollection', 'DELETE', s.all, { pick: (b) => [b.kind, names(b)] });
}

export async function daemonSets(t) {
  const s = await scene(t, 'apps/v1', 'DaemonSet', 'daemonsets', 'conf-kinds-ds');
  const ds = (rest) => s.make('f', { spec: { selector, template: template(), ...rest } });
  await s.create('a minimal daemon set', s.make('a', { spec: { selector, template: template() } }), (b) => b);
  await s.tries([
    ['OnDelete', ds({ updateStrategy: { type: 'OnDelete' } })],
    ['a surge', ds({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })],
    [
      'a surge and unavailable',
      ds({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
    ],
    ['neither', ds({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } })],
    ['an unknown strategy', ds({ updateStrategy: { type: 'Slow' } })],
    ['a percentage', ds({ updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } })],
    ['no selector', ds({ selector: undefined })],
    ['an empty selector', ds({ selector: {} })],
    ['labels that do not match', ds({ template: template({ app: 'b' }) })],
    ['no template', ds({ template: undefined })],
    ['restartPolicy Never', ds({ template: template({ app: 'a' }, { restartPolicy: 'Never' }) })],
    ['replicas do not exist', ds({ replicas: 1 })],
    ['negative history', ds({ revisionHistoryLimit: -1 })],
  ]);
  await s.put(
    'the image',
    'a',
    (o) => {
      o.spec.template.spec.containers[0].image = 'two';
    },
    { pick: (b) => [b.metadata.generation, b.metadata.annotations, inner(b)] },
  );
  await s.put('the selector is immutable', 'a', (o) => {
    o.spec.selector.matchLabels.app = 'b';
    o.spec.template.metadata.labels.app = 'b';
  });
  await s.patch(
    'strategic: a container',
    'a',
    { spec: { template: { spec: { containers: [{ name: 'n', image: 'n' }] } } } },
    { pick: inner },
  );
  await s.put(
    'status',
    'a',
    (o) => {
      o.status = {
        currentNumberScheduled: 1,
        numberMisscheduled: 0,
        desiredNumberScheduled: 2,
        numberReady: 1,
        observedGeneration: 2,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberUnavailable: 1,
      };
      o.spec.minReadySeconds = 50;
    },
    { sub: 'status' },
  );
  await s.patch('a negative number', 'a', { status: { numberReady: -1 } }, { sub: 'status', type: MERGE });
  await t.step('there is no scale', 'GET', s.at('a', 'scale'));
  await s.table('as a table');
  await s.apply('apply', 'x', 'alpha', s.make('x', { spec: { selector, template: template() } }), {
    pick: owned,
  });
  await s.remove('delete', 'a');
  await s.remove('again', 'a');
}

export async function replicationControllers(t) {
  const r = await scene(t, 'v1', 'ReplicationController', 'replicationcontrollers', 'conf-kinds-rc');
  await r.create(
    'the selector is that of the template',
    r.make('a', { spec: { template: template() } }),
    (b) => b,
  );
  await r.create(
    'labels are those of the template',
    r.make('b', { spec: { replicas: 2, selector: { app: 'a' }, template: template({ app: 'a', x: 'y' }) } }),
  );
  await r.tries([
    ['no spec', r.make('f')],
    ['no template', r.make('f', { spec: { selector: { app: 'a' } } })],
    ['no labels and no selector', r.make('f', { spec: { template: { spec: podSpec() } } })],
    ['labels that do not match', r.make('f', { spec: { selector: { app: 'b' }, template: template() } })],
    ['negative replicas', r.make('f', { spec: { replicas: -1, template: template() } })],
    [
      'restartPolicy',
      r.make('f', { spec: { template: template({ app: 'a' }, { restartPolicy: 'Never' }) } }),
    ],
    [
      'a selector of matchLabels',
      r.make('f', { spec: { selector: { matchLabels: { app: 'a' } }, template: template() } }),
    ],
  ]);
  await r.put(
    'the selector may change',
    'a',
    (o) => {
      o.spec.selector = { app: 'z' };
      o.spec.template.metadata.labels = { app: 'z' };
    },
    { pick: generation },
  );
  await r.get('scale', 'a', (b) => b, 'scale');
  await r.patch(
    'the scale patched',
    'a',
    { spec: { replicas: 4 } },
    { sub: 'scale', type: MERGE, pick: scaled },
  );
  await t.step('scale of extensions/v1beta1', 'PUT', r.at('a', 'scale'), {
    body: {
      apiVersion: 'extensions/v1beta1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: r.ns },
      spec: { replicas: 1 },
    },
    pick: scaled,
  });
  await r.put(
    'status',
    'a',
    (o) => {
      o.status = { replicas: 4, readyReplicas: 1, observedGeneration: 3 };
    },
    { sub: 'status', pick: status },
  );
  await r.list('by status.replicas', '?fieldSelector=status.replicas%3D4');
  await r.table('as a table');
  await r.remove('delete orphans by default', 'a', '', (b) => [b.kind, b.metadata?.finalizers, b.status]);
  await r.remove('in the background', 'b', '?propagationPolicy=Background');
}

export async function podTemplatesAndRevisions(t) {
  const p = await scene(t, 'v1', 'PodTemplate', 'podtemplates', 'conf-kinds-podtemplates');
  await p.create('a pod template', p.make('a', { template: template() }), (b) => b);
  await p.create('without a template', p.make('b', {}));
  await p.create('without containers', p.make('b', { template: { spec: {} } }));
  await p.patch(
    'strategic: an image',
    'a',
    { template: { spec: { containers: [{ name: 'c', image: 'two' }] } } },
    { pick: (b) => [b.metadata.generation, b.template.spec.containers[0].image] },
  );
  await p.patch(
    'restartPolicy may be anything',
    'a',
    { template: { spec: { restartPolicy: 'Never' } } },
    { type: MERGE, pick: (b) => b.template.spec.restartPolicy },
  );
  await p.table('as a table');
  await p.remove('delete', 'a');
  const r = await scene(t, 'apps/v1', 'ControllerRevision', 'controllerrevisions', p.ns);
  await r.create(
    'a controller revision',
    r.make(
      'r',
      { revision: 1, data: { spec: { any: ['thing', 1, null, 1.5] } } },
      {
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true },
        ],
      },
    ),
    (b) => b,
  );
  await r.create('without data', r.make('n', { revision: 1 }));
  await r.create('a negative revision', r.make('n', { revision: -1, data: {} }));
  await r.create('without a revision', r.make('n', { data: { a: 1 } }));
  await r.patch('the revision may change', 'r', { revision: 2 }, { type: MERGE, pick: (b) => b.revision });
  await r.patch('the data may not', 'r', { data: { spec: { other: 1 } } }, { type: MERGE });
  await r.patch('labels may', 'r', { metadata: { labels: { a: 'b' } } }, { pick: (b) => b.metadata.labels });
  await r.table('revisions as a table');
  await t.step('deletecollection', 'DELETE', r.all, { pick: (b) => [b.kind, names(b)] });
}
