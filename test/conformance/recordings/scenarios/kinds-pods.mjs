// Pods, as the API server alone treats them: no scheduler, kubelet or controller runs.
import {
  container,
  event,
  JSON_PATCH,
  lean,
  MERGE,
  names,
  podSpec,
  STRATEGIC,
  scene,
  settle,
  spec,
  status,
  TABLE,
  table,
  wipe,
} from './helpers/kinds.mjs';

const pods = (t, name) => scene(t, 'v1', 'Pod', 'pods', `conf-kinds-${name}`);
const images = (b) => b.spec.containers.map((c) => [c.name, c.image]);
const first = (b) => b.spec.containers[0];

export async function podDefaults(t) {
  const p = await pods(t, 'pod-defaults');
  await p.create('a minimal pod', p.make('a', { spec: podSpec() }), (b) => b);
  await p.create('without kind and apiVersion', { metadata: { name: 'bare' }, spec: podSpec() });
  await p.create(
    'image tags decide the pull policy',
    p.make('tags', {
      spec: {
        containers: [
          'app',
          'app:latest',
          'app:1',
          'app@sha256:'.padEnd(75, '0'),
          'reg.example.com:5000/app',
        ].map((image, i) => ({ name: `c${i}`, image })),
      },
    }),
    (b) => b.spec.containers.map((c) => [c.image, c.imagePullPolicy]),
  );
  await p.create(
    'ports, probes and env get their defaults',
    p.make('more', {
      spec: podSpec({
        containers: [
          container('c', {
            ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { tcpSocket: { port: 'dns' } },
            startupProbe: { exec: { command: ['true'] }, failureThreshold: 30 },
            env: [
              { name: 'A' },
              { name: 'B', value: 'b' },
              { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            ],
          }),
        ],
      }),
    }),
    spec,
  );
  await p.create(
    'grpc probe',
    p.make('grpc', {
      spec: podSpec({ containers: [container('c', { livenessProbe: { grpc: { port: 9000 } } })] }),
    }),
    (b) => first(b).livenessProbe,
  );
  await p.create(
    'limits become requests',
    p.make('limits', {
      spec: podSpec({
        containers: [container('c', { resources: { limits: { cpu: '0.5', memory: '1024Mi' } } })],
      }),
    }),
    (b) => [first(b).resources, b.status],
  );
  await p.create(
    'quantities are kept as written when canonical',
    p.make('quantities', {
      spec: podSpec({
        containers: [
          container('c', {
            resources: {
              requests: { cpu: '1000m', memory: '1.5Gi', 'ephemeral-storage': '1e3' },
              limits: { cpu: 2, memory: '3000000Ki' },
            },
          }),
        ],
      }),
    }),
    (b) => first(b).resources,
  );
  await p.create(
    'quality of service: guaranteed',
    p.make('guaranteed', {
      spec: podSpec({
        containers: [
          container('c', {
            resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
          }),
        ],
      }),
    }),
    status,
  );
  await p.create(
    'quality of service: best effort',
    p.make('besteffort', { spec: podSpec() }),
    (b) => b.status.qosClass,
  );
  await p.create(
    'host network and host ports',
    p.make('hostnet', {
      spec: podSpec({
        hostNetwork: true,
        containers: [container('c', { ports: [{ containerPort: 8080 }] })],
      }),
    }),
    spec,
  );
  await p.create(
    'security contexts',
    p.make('secure', {
      spec: podSpec({
        securityContext: {
          runAsUser: 1000,
          fsGroup: 2000,
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          container('c', {
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
              readOnlyRootFilesystem: true,
            },
          }),
        ],
      }),
    }),
    spec,
  );
  await p.create(
    'init containers and a sidecar',
    p.make('init', {
      spec: podSpec({ initContainers: [container('i'), container('side', { restartPolicy: 'Always' })] }),
    }),
    spec,
  );
  await p.create(
    "tolerations of one's own stop the default ones",
    p.make('tolerant', { spec: podSpec({ tolerations: [{ operator: 'Exists' }] }) }),
    (b) => b.spec.tolerations,
  );
  await p.create(
    'a toleration of not-ready alone',
    p.make('tolerant2', {
      spec: podSpec({
        tolerations: [
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 5,
          },
        ],
      }),
    }),
    (b) => b.spec.tolerations,
  );
  await p.create(
    'serviceAccount is the old name of serviceAccountName',
    p.make('sa', { spec: podSpec({ serviceAccount: 'me' }) }),
    (b) => [b.spec.serviceAccount, b.spec.serviceAccountName],
  );
  await p.create(
    'scheduling gates',
    p.make('gated', { spec: podSpec({ schedulingGates: [{ name: 'example.com/gate' }] }) }),
    (b) => [b.spec.schedulingGates, b.status],
  );
  await p.create(
    'status is not taken on create',
    p.make('st', { spec: podSpec(), status: { phase: 'Running', podIP: '127.0.0.1' } }),
    status,
  );
  await p.create(
    'topology spread and affinity',
    p.make('spread', {
      spec: podSpec({
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'a' } },
          },
        ],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }],
            },
          },
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                podAffinityTerm: { topologyKey: 'host', labelSelector: { matchLabels: { app: 'a' } } },
              },
            ],
          },
        },
      }),
    }),
    spec,
  );
  const { metadata } = await t.setup('POST', p.all, {
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'gen-' }, spec: podSpec() },
  });
  t.note('generateName', [metadata.generateName, /^gen-[a-z0-9]{5}$/.test(metadata.name)]);
  await p.create('neither name nor generateName', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    spec: podSpec(),
  });
  await p.create('the name is taken', p.make('a', { spec: podSpec() }));
}

export async function podVolumes(t) {
  const p = await pods(t, 'pod-volumes');
  const vol = (source) =>
    p.make('v', {
      spec: podSpec({
        volumes: [{ name: 'v', ...source }],
        containers: [container('c', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      }),
    });
  const shown = (b) => [b.spec.volumes, first(b).volumeMounts];
  await p.tries(
    [
      ['a volume of no kind is an emptyDir', vol({})],
      ['emptyDir with a limit', vol({ emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } })],
      ['configMap', vol({ configMap: { name: 'm' } })],
      [
        'configMap with items',
        vol({
          configMap: { name: 'm', optional: true, defaultMode: 256, items: [{ key: 'k', path: 'a/b' }] },
        }),
      ],
      ['secret', vol({ secret: { secretName: 's' } })],
      ['hostPath', vol({ hostPath: { path: '/data' } })],
      ['hostPath with a type', vol({ hostPath: { path: '/data', type: 'DirectoryOrCreate' } })],
      ['persistentVolumeClaim', vol({ persistentVolumeClaim: { claimName: 'c' } })],
      [
        'projected',
        vol({
          projected: {
            sources: [
              { serviceAccountToken: { path: 't' } },
              { configMap: { name: 'm' } },
              { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
            ],
          },
        }),
      ],
      [
        'downwardAPI',
        vol({
          downwardAPI: {
            items: [
              { path: 'l', fieldRef: { fieldPath: 'metadata.labels' } },
              { path: 'c', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
            ],
          },
        }),
      ],
      [
        'ephemeral',
        vol({
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        }),
      ],
      ['csi', vol({ csi: { driver: 'csi.example.com', volumeAttributes: { a: 'b' } } })],
      ['nfs', vol({ nfs: { server: 'nfs.example.com', path: '/x' } })],
      ['image', vol({ image: { reference: 'example.com/data:1' } })],
      [
        'iscsi gets an interface',
        vol({ iscsi: { targetPortal: '127.0.0.1:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } }),
      ],
    ],
    shown,
  );
  await p.tries(
    [
      ['two kinds', vol({ emptyDir: {}, hostPath: { path: '/x' } })],
      ['configMap without a name', vol({ configMap: {} })],
      [
        'configMap with an absolute path',
        vol({ configMap: { name: 'm', items: [{ key: 'k', path: '/abs' }] } }),
      ],
      ['configMap with a path up', vol({ configMap: { name: 'm', items: [{ key: 'k', path: '../up' }] } })],
      ['a mode that is too large', vol({ secret: { secretName: 's', defaultMode: 512 } })],
      ['secret without a name', vol({ secret: {} })],
      ['hostPath without a path', vol({ hostPath: {} })],
      ['hostPath of an unknown type', vol({ hostPath: { path: '/x', type: 'Pipe' } })],
      ['claim without a name', vol({ persistentVolumeClaim: {} })],
      ['a negative emptyDir limit', vol({ emptyDir: { sizeLimit: '-1' } })],
      [
        'a projection of two kinds',
        vol({ projected: { sources: [{ configMap: { name: 'm' }, secret: { name: 's' } }] } }),
      ],
      [
        'a token that lives too short',
        vol({ projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 10 } }] } }),
      ],
      [
        'downwardAPI of an unsupported field',
        vol({ downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'status.phase' } }] } }),
      ],
      [
        'an ephemeral claim without a size',
        vol({ ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }),
      ],
      ['nfs without a server', vol({ nfs: { path: '/x' } })],
      ['csi without a driver', vol({ csi: {} })],
      [
        'no volume of that name',
        p.make('v', {
          spec: podSpec({ containers: [container('c', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })] }),
        }),
      ],
      [
        'no mountPath',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }],
            containers: [container('c', { volumeMounts: [{ name: 'v' }] })],
          }),
        }),
      ],
      [
        'a mountPath twice',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }, { name: 'w' }],
            containers: [
              container('c', {
                volumeMounts: [
                  { name: 'v', mountPath: '/v' },
                  { name: 'w', mountPath: '/v' },
                ],
              }),
            ],
          }),
        }),
      ],
      [
        'subPath and subPathExpr',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }],
            containers: [
              container('c', {
                volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a', subPathExpr: '$(A)' }],
              }),
            ],
          }),
        }),
      ],
      [
        'subPath that goes up',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }],
            containers: [container('c', { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: '../a' }] })],
          }),
        }),
      ],
      ['a volume twice', p.make('v', { spec: podSpec({ volumes: [{ name: 'v' }, { name: 'v' }] }) })],
      ['a volume without a name', p.make('v', { spec: podSpec({ volumes: [{ emptyDir: {} }] }) })],
      ['a volume whose name is no label', p.make('v', { spec: podSpec({ volumes: [{ name: 'a.b' }] }) })],
      [
        'unknown mount propagation',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }],
            containers: [
              container('c', {
                volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: 'Sideways' }],
              }),
            ],
          }),
        }),
      ],
      [
        'a device that no claim backs',
        p.make('v', {
          spec: podSpec({
            volumes: [{ name: 'v' }],
            containers: [container('c', { volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] })],
          }),
        }),
      ],
    ],
    shown,
  );
}

export async function podContainerFaults(t) {
  const p = await pods(t, 'pod-faults');
  const one = (rest) => p.make('f', { spec: { containers: [container('c', rest)] } });
  const env = (...e) => one({ env: e });
  const ports = (...e) => one({ ports: e });
  const res = (resources) => one({ resources });
  await p.tries(
    [
      ['no spec', p.make('f')],
      ['an empty spec', p.make('f', { spec: {} })],
      ['no containers', p.make('f', { spec: { containers: [] } })],
      ['null containers', p.make('f', { spec: { containers: null } })],
      ['a container without a name', p.make('f', { spec: { containers: [{ image: 'i' }] } })],
      ['a container without an image', p.make('f', { spec: { containers: [{ name: 'c' }] } })],
      ['an empty container', p.make('f', { spec: { containers: [{}] } })],
      ['a name that is no label', p.make('f', { spec: { containers: [container('A_b')] } })],
      ['two containers of one name', p.make('f', { spec: { containers: [container(), container()] } })],
      [
        'an init container of the same name',
        p.make('f', { spec: { containers: [container()], initContainers: [container()] } }),
      ],
      ['an image with a space before it', one({ image: ' x' })],
      ['an unknown pull policy', one({ imagePullPolicy: 'Sometimes' })],
      ['an unknown termination message policy', one({ terminationMessagePolicy: 'Never' })],
      ['port 0', ports({ containerPort: 0 })],
      ['port 65536', ports({ containerPort: 65536 })],
      ['a port without a number', ports({ name: 'http' })],
      ['a port name in capitals', ports({ containerPort: 80, name: 'HTTP' })],
      ['a port name of 16 characters', ports({ containerPort: 80, name: 'abcdefghijklmnop' })],
      ['a port name of digits', ports({ containerPort: 80, name: '80' })],
      ['a port name twice', ports({ containerPort: 80, name: 'http' }, { containerPort: 81, name: 'http' })],
      ['an unknown protocol', ports({ containerPort: 80, protocol: 'tcp' })],
      ['a host port twice', ports({ containerPort: 80, hostPort: 80 }, { containerPort: 81, hostPort: 80 })],
      [
        'a port twice is a warning',
        ports({ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }),
      ],
      ['an env without a name', env({ value: 'x' })],
      ['an env name with a sign', env({ name: 'a=b', value: 'x' })],
      [
        'value and valueFrom',
        env({ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
      ],
      ['an empty valueFrom', env({ name: 'A', valueFrom: {} })],
      ['an unsupported field', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.containers' } } })],
      [
        'a label as a field',
        env({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }),
      ],
      [
        'an unsupported resource',
        env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gold' } } }),
      ],
      ['a secret key without a key', env({ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } })],
      ['a secret key without a name', env({ name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } })],
      ['an env twice is a warning', env({ name: 'A', value: '1' }, { name: 'A', value: '2' })],
      ['envFrom without a source', one({ envFrom: [{ prefix: 'P_' }] })],
      [
        'envFrom of both sources',
        one({ envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }] }),
      ],
      ['requests above the limits', res({ limits: { cpu: '1' }, requests: { cpu: '2' } })],
      ['a negative request', res({ requests: { memory: '-1' } })],
      ['a resource without a domain', res({ limits: { gold: '1' } })],
      ['an extended resource in fractions', res({ limits: { 'example.com/gpu': '500m' } })],
      ['an extended resource with requests alone', res({ requests: { 'example.com/gpu': '1' } })],
      ['an extended resource', res({ limits: { 'example.com/gpu': '2' } })],
      [
        'huge pages without cpu or memory',
        res({ limits: { 'hugepages-2Mi': '2Mi' }, requests: { 'hugepages-2Mi': '2Mi' } }),
      ],
      ['a quantity that cannot be read', res({ limits: { cpu: 'lots' } })],
      ['a quantity that is a boolean', res({ limits: { cpu: true } })],
      ['fractions of bytes are a warning', res({ limits: { memory: '100m' } })],
      ['a probe without a handler', one({ livenessProbe: {} })],
      [
        'a probe of two handlers',
        one({ livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
      ],
      ['a negative probe period', one({ livenessProbe: { exec: { command: ['a'] }, periodSeconds: -1 } })],
      [
        'a liveness success threshold of 2',
        one({ livenessProbe: { exec: { command: ['a'] }, successThreshold: 2 } }),
      ],
      ['an exec probe without a command', one({ readinessProbe: { exec: {} } })],
      ['an HTTP probe without a port', one({ readinessProbe: { httpGet: { path: '/' } } })],
      [
        'an HTTP probe of an unknown scheme',
        one({ readinessProbe: { httpGet: { port: 80, scheme: 'FTP' } } }),
      ],
      ['an HTTP probe of a bad port name', one({ readinessProbe: { httpGet: { port: 'Not_a_port' } } })],
      [
        'a readiness probe with a grace period',
        one({ readinessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 1 } }),
      ],
      ['an empty lifecycle hook', one({ lifecycle: { preStop: {} } })],
      ['a sleeping hook', one({ lifecycle: { preStop: { sleep: { seconds: 5 } } } })],
      [
        'a hook that sleeps longer than the grace period',
        one({ lifecycle: { preStop: { sleep: { seconds: 500 } } } }),
      ],
      ['a negative user', one({ securityContext: { runAsUser: -1 } })],
      [
        'privileged without escalation',
        one({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
      ],
      ['an unknown seccomp profile', one({ securityContext: { seccompProfile: { type: 'Some' } } })],
      [
        'a localhost seccomp profile without a file',
        one({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
      ],
      ['a restart policy of an ordinary container', one({ restartPolicy: 'Sometimes' })],
      [
        'a lifecycle on an init container',
        p.make('f', {
          spec: podSpec({
            initContainers: [container('i', { readinessProbe: { exec: { command: ['a'] } } })],
          }),
        }),
      ],
      [
        'resize policy',
        one({
          resizePolicy: [
            { resourceName: 'cpu', restartPolicy: 'NotRequired' },
            { resourceName: 'gpu', restartPolicy: 'Maybe' },
          ],
        }),
      ],
      [
        'stdinOnce, tty and a working directory',
        one({ stdin: true, stdinOnce: true, tty: true, workingDir: '/w', command: ['c'], args: ['a'] }),
      ],
    ],
    (b) => first(b),
  );
}

export async function podSpecFaults(t) {
  const p = await pods(t, 'pod-spec-faults');
  const pod = (rest, meta) => p.make('f', { spec: podSpec(rest) }, meta);
  const affinity = (a) => pod({ affinity: a });
  const term = (t2) => affinity({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [t2] } });
  const node = (e) =>
    affinity({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [e] }] },
      },
    });
  await p.tries(
    [
      ['an unknown restart policy', pod({ restartPolicy: 'Sometimes' })],
      ['an unknown DNS policy', pod({ dnsPolicy: 'Mine' })],
      ['DNS policy None without servers', pod({ dnsPolicy: 'None' })],
      [
        'DNS policy None with servers',
        pod({
          dnsPolicy: 'None',
          dnsConfig: {
            nameservers: ['127.0.0.1'],
            searches: ['example.com'],
            options: [{ name: 'ndots', value: '2' }],
          },
        }),
      ],
      ['a name server that is no address', pod({ dnsConfig: { nameservers: ['dns.example.com'] } })],
      ['a negative grace period becomes 1', pod({ terminationGracePeriodSeconds: -1 })],
      ['a deadline of 0', pod({ activeDeadlineSeconds: 0 })],
      ['a node selector with a bad value', pod({ nodeSelector: { a: 'b c' } })],
      ['a host name in capitals', pod({ hostname: 'Host' })],
      ['a subdomain with an underscore', pod({ subdomain: 'a_b' })],
      ['a node name with a slash', pod({ nodeName: 'a/b' })],
      [
        'host aliases',
        pod({ hostAliases: [{ ip: '127.0.0.1', hostnames: ['a.example.com'] }, { ip: 'nowhere' }] }),
      ],
      ['an unknown toleration operator', pod({ tolerations: [{ key: 'a', operator: 'Like' }] })],
      [
        'a toleration that exists with a value',
        pod({ tolerations: [{ key: 'a', operator: 'Exists', value: 'v' }] }),
      ],
      ['a toleration of no key that is equal', pod({ tolerations: [{ operator: 'Equal', value: 'v' }] })],
      ['an unknown toleration effect', pod({ tolerations: [{ key: 'a', effect: 'Never' }] })],
      [
        'toleration seconds without NoExecute',
        pod({ tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }] }),
      ],
      ['an unknown selector operator', node({ key: 'a', operator: 'Is', values: ['x'] })],
      ['In without values', node({ key: 'a', operator: 'In' })],
      ['Exists with values', node({ key: 'a', operator: 'Exists', values: ['x'] })],
      ['Gt of a word is taken', node({ key: 'a', operator: 'Gt', values: ['x'] })],
      [
        'no node selector terms',
        affinity({
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
        }),
      ],
      [
        'a weight of 0',
        affinity({
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
            ],
          },
        }),
      ],
      ['a pod affinity without a topology key', term({ labelSelector: { matchLabels: { a: 'b' } } })],
      [
        'a pod affinity with a bad label',
        term({ topologyKey: 'k', labelSelector: { matchLabels: { a: 'b c' } } }),
      ],
      [
        'a skew of 0',
        pod({
          topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }],
        }),
      ],
      [
        'an unknown answer to the unsatisfiable',
        pod({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'Cry' }] }),
      ],
      [
        'a spread twice',
        pod({
          topologySpreadConstraints: [1, 2].map((maxSkew) => ({
            maxSkew,
            topologyKey: 'z',
            whenUnsatisfiable: 'DoNotSchedule',
          })),
        }),
      ],
      ['a negative group', pod({ securityContext: { fsGroup: -1 } })],
      ['an unknown group change policy', pod({ securityContext: { fsGroupChangePolicy: 'Never' } })],
      ['a bad sysctl', pod({ securityContext: { sysctls: [{ name: 'Kernel!', value: '1' }] } })],
      [
        'sysctls twice',
        pod({
          securityContext: {
            sysctls: [
              { name: 'kernel.a', value: '1' },
              { name: 'kernel.a', value: '2' },
            ],
          },
        }),
      ],
      ['an image pull secret without a name is a warning', pod({ imagePullSecrets: [{}] })],
      ['a service account name in capitals', pod({ serviceAccountName: 'Me' })],
      ['a scheduling gate twice', pod({ schedulingGates: [{ name: 'a' }, { name: 'a' }] })],
      ['a scheduling gate and a node', pod({ schedulingGates: [{ name: 'a' }], nodeName: 'n' })],
      ['a bad readiness gate', pod({ readinessGates: [{ conditionType: 'not valid' }] })],
      ['an unknown operating system', pod({ os: { name: 'beos' } })],
      ['windows with a linux user', pod({ os: { name: 'windows' }, securityContext: { runAsUser: 1 } })],
      ['a priority class that does not exist', pod({ priorityClassName: 'conf-kinds-none' })],
      ["a priority of one's own", pod({ priority: 5 })],
      ['a system priority class', pod({ priorityClassName: 'system-node-critical' })],
      ['an unknown preemption policy', pod({ preemptionPolicy: 'Ask' })],
      ['a runtime class that does not exist', pod({ runtimeClassName: 'conf-kinds-none' })],
      ['ephemeral containers on create', pod({ ephemeralContainers: [{ name: 'e', image: 'i' }] })],
      [
        'host ports that differ under the host network',
        pod({
          hostNetwork: true,
          containers: [container('c', { ports: [{ containerPort: 80, hostPort: 81 }] })],
        }),
      ],
      ['hostPID with a shared namespace', pod({ hostPID: true, shareProcessNamespace: true })],
      ['pod resources', pod({ resources: { limits: { cpu: '1', memory: '1Gi' } } })],
      [
        'pod resources below those of a container',
        pod({
          resources: { limits: { cpu: '1' } },
          containers: [container('c', { resources: { requests: { cpu: '2' } } })],
        }),
      ],
      ['a bad label', pod({}, { labels: { a: 'b c' } })],
      ['a bad annotation key', pod({}, { annotations: { 'a/b/c': 'x' } })],
      ['a bad name', p.make('Not_good', { spec: podSpec() })],
      ['a name of 254 characters', p.make('n'.repeat(254), { spec: podSpec() })],
      ['another namespace', p.make('f', { spec: podSpec() }, { namespace: 'default' })],
      [
        'an owner without a uid',
        pod({}, { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r' }] }),
      ],
      [
        'two controllers',
        pod(
          {},
          {
            ownerReferences: ['a', 'b'].map((name) => ({
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name,
              uid: name,
              controller: true,
            })),
          },
        ),
      ],
      ['containers that are an object', p.make('f', { spec: { containers: {} } })],
      [
        'a port that is a string',
        pod({ containers: [container('c', { ports: [{ containerPort: '80' }] })] }),
      ],
      ['a grace period that is a string', pod({ terminationGracePeriodSeconds: '30' })],
      ['a boolean that is a string', pod({ hostNetwork: 'true' })],
      ['a string that is a number', pod({ nodeName: 5 })],
      ['the wrong kind', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'f' } }],
      ['the wrong version', { apiVersion: 'v2', kind: 'Pod', metadata: { name: 'f' }, spec: podSpec() }],
    ],
    spec,
  );
}

export async function podFieldValidation(t) {
  const p = await pods(t, 'pod-strict');
  const body = p.make('s', {
    spec: podSpec({
      nodeNmae: 'x',
      containers: [container('c', { imge: 'y', ports: [{ containerPort: 80, portt: 1 }] })],
    }),
    extra: 1,
  });
  const twice = JSON.stringify(p.make('s', { spec: podSpec() })).replace(
    '"image":',
    '"image":"one","image":',
  );
  const cased = p.make('s', { spec: { Containers: [container()], containers: [container()] } });
  for (const level of ['Ignore', 'Warn', 'Strict']) {
    const at = `${p.all}?dryRun=All&fieldValidation=${level}`;
    await t.step(`${level}: unknown fields on create`, 'POST', at, { body, pick: images });
    await t.step(`${level}: a key twice on create`, 'POST', at, { body: twice, pick: images });
    await t.step(`${level}: a key in another case`, 'POST', at, { body: cased, pick: images });
  }
  await p.made(p.make('s', { spec: podSpec() }));
  for (const level of ['Ignore', 'Warn', 'Strict']) {
    const at = `${p.at('s')}?dryRun=All&fieldValidation=${level}`;
    for (const [word, type] of [
      ['strategic', STRATEGIC],
      ['merge', MERGE],
    ]) {
      await t.step(`${level}: an unknown field in a ${word} patch`, 'PATCH', at, {
        body: { spec: { nope: 1 } },
        type,
        pick: images,
      });
    }
    await t.step(`${level}: an unknown field in a JSON patch`, 'PATCH', at, {
      body: [{ op: 'add', path: '/spec/nope', value: 1 }],
      type: JSON_PATCH,
      pick: images,
    });
    await t.step(`${level}: an unknown field in an update`, 'PUT', at, {
      body: { ...body, metadata: { name: 's' } },
      pick: images,
    });
    await t.step(`${level}: a key twice in a merge patch`, 'PATCH', at, {
      body: '{"metadata":{"labels":{"a":"1","a":"2"}}}',
      type: MERGE,
      pick: (b) => b.metadata.labels,
    });
  }
  await t.step('a YAML body', 'POST', `${p.all}?dryRun=All`, {
    body: 'apiVersion: v1\nkind: Pod\nmetadata: {name: y}\nspec:\n  containers:\n  - {name: c, image: i}\n',
    type: 'application/yaml',
    pick: images,
  });
  await t.step(
    'a YAML body with a key twice, strictly',
    'POST',
    `${p.all}?dryRun=All&fieldValidation=Strict`,
    {
      body: 'apiVersion: v1\nkind: Pod\nmetadata: {name: y}\nspec:\n  containers:\n  - {name: c, image: i, image: j}\n',
      type: 'application/yaml',
    },
  );
}

export async function podUpdates(t) {
  const p = await pods(t, 'pod-updates');
  await p.made(
    p.make(
      'u',
      {
        spec: podSpec({
          containers: [container('c', { env: [{ name: 'A', value: '1' }] })],
          initContainers: [container('i')],
          tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
          activeDeadlineSeconds: 100,
        }),
      },
      { labels: { app: 'u' } },
    ),
  );
  await p.put('the image may change', 'u', (o) => {
    o.spec.containers[0].image = 'example.com/app:2';
  });
  await p.put(
    'and that of an init container',
    'u',
    (o) => {
      o.spec.initContainers[0].image = 'example.com/init:2';
    },
    { pick: (b) => [b.metadata.generation, b.spec.initContainers[0].image] },
  );
  await p.put(
    'labels and annotations leave the generation',
    'u',
    (o) => {
      o.metadata.labels = { app: 'v' };
      o.metadata.annotations = { note: 'x' };
    },
    { pick: (b) => b.metadata },
  );
  await p.put('nothing changed', 'u', () => {}, { pick: (b) => b.metadata });
  await p.put('an env may not', 'u', (o) => {
    o.spec.containers[0].env[0].value = '2';
  });
  await p.put('no container may be added', 'u', (o) => {
    o.spec.containers.push(container('d'));
  });
  await p.put('none may be taken away', 'u', (o) => {
    o.spec.initContainers = [];
  });
  await p.put(
    'tolerations may be added',
    'u',
    (o) => {
      o.spec.tolerations.push({ key: 'new', operator: 'Exists' });
    },
    { pick: (b) => b.spec.tolerations },
  );
  await p.put('but not taken away', 'u', (o) => {
    o.spec.tolerations = [];
  });
  await p.put(
    'the deadline may be shortened',
    'u',
    (o) => {
      o.spec.activeDeadlineSeconds = 50;
    },
    { pick: (b) => b.spec.activeDeadlineSeconds },
  );
  await p.put('but not lengthened', 'u', (o) => {
    o.spec.activeDeadlineSeconds = 60;
  });
  await p.put('the grace period may not change', 'u', (o) => {
    o.spec.terminationGracePeriodSeconds = 1;
  });
  await p.put('nodeName may not change', 'u', (o) => {
    o.spec.nodeName = 'n';
  });
  await p.put('an empty image', 'u', (o) => {
    o.spec.containers[0].image = '';
  });
  await p.put('resources may not change here', 'u', (o) => {
    o.spec.containers[0].resources = { limits: { cpu: '1' } };
  });
  await p.put('a node selector without gates', 'u', (o) => {
    o.spec.nodeSelector = { a: 'b' };
  });
  await p.put(
    'status is ignored',
    'u',
    (o) => {
      o.status = { phase: 'Failed' };
    },
    { pick: (b) => b.status.phase },
  );
  await p.put('another name in the body', 'u', (o) => {
    o.metadata.name = 'w';
  });
  await p.put('another uid', 'u', (o) => {
    o.metadata.uid = '11111111-2222-4333-8444-555555555555';
  });
  await p.put('a stale resourceVersion', 'u', (o) => {
    o.metadata.resourceVersion = '1';
    o.metadata.labels.x = 'y';
  });
  await p.put(
    'no resourceVersion is unconditional',
    'u',
    (o) => {
      delete o.metadata.resourceVersion;
      o.metadata.labels.x = 'y';
    },
    { pick: (b) => b.metadata.labels },
  );
  await p.put(
    'immutable metadata: generation and creation are kept',
    'u',
    (o) => {
      o.metadata.generation = 99;
      o.metadata.creationTimestamp = '2001-01-01T00:00:00Z';
    },
    { pick: (b) => b.metadata.generation },
  );
  await t.step('an update of a pod that does not exist', 'PUT', p.at('none'), {
    body: p.make('none', { spec: podSpec() }),
  });
  await p.made(p.make('g', { spec: podSpec({ schedulingGates: [{ name: 'a' }, { name: 'b' }] }) }));
  await p.put(
    'a gated pod may get a node selector',
    'g',
    (o) => {
      o.spec.nodeSelector = { a: 'b' };
    },
    { pick: (b) => [b.metadata.generation, b.spec.nodeSelector] },
  );
  await p.put('but keeps what it has', 'g', (o) => {
    o.spec.nodeSelector = { a: 'c' };
  });
  await p.put('no gate may be added', 'g', (o) => {
    o.spec.schedulingGates.push({ name: 'c' });
  });
  await p.put(
    'one may go',
    'g',
    (o) => {
      o.spec.schedulingGates = [{ name: 'b' }];
    },
    { pick: (b) => [b.spec.schedulingGates, b.status] },
  );
  await t.step('a gated pod cannot be bound', 'POST', p.at('g', 'binding'), {
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'g' }, target: { kind: 'Node', name: 'n' } },
  });
}

export async function podStrategicPatches(t) {
  const p = await pods(t, 'pod-strategic');
  const owner = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-${name}` });
  await p.made(
    p.make(
      's',
      {
        spec: podSpec({
          containers: [
            container('a', { env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] }),
            container('b'),
          ],
        }),
      },
      { labels: { app: 's', old: 'x' }, finalizers: ['example.com/a'], ownerReferences: [owner('one')] },
    ),
  );
  await p.patch(
    'a container by its name',
    's',
    { spec: { containers: [{ name: 'b', image: 'example.com/b:2' }] } },
    { pick: images },
  );
  await p.patch(
    'an image with the order of the containers',
    's',
    {
      spec: {
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
        containers: [{ name: 'a', image: 'example.com/a:2' }],
      },
    },
    { pick: images },
  );
  await p.patch('an unknown container would be added, which a pod forbids', 's', {
    spec: { containers: [{ name: 'new', image: 'i' }] },
  });
  await p.patch('a container without its key', 's', { spec: { containers: [{ image: 'i' }] } });
  await p.patch('$patch: delete of a container', 's', {
    spec: { containers: [{ name: 'b', $patch: 'delete' }] },
  });
  await p.patch('$patch: replace of the list', 's', {
    spec: { containers: [{ $patch: 'replace' }, { name: 'a', image: 'i' }] },
  });
  await p.patch(
    'labels: null takes one away',
    's',
    { metadata: { labels: { old: null, new: 'y' } } },
    { pick: (b) => b.metadata.labels },
  );
  await p.patch(
    'labels: $patch: replace',
    's',
    { metadata: { labels: { $patch: 'replace', only: 'this' } } },
    { pick: (b) => b.metadata.labels },
  );
  await p.patch(
    'finalizers are merged',
    's',
    { metadata: { finalizers: ['example.com/b'] } },
    { pick: (b) => b.metadata.finalizers },
  );
  await p.patch(
    '$deleteFromPrimitiveList',
    's',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
    { pick: (b) => b.metadata.finalizers },
  );
  await p.patch(
    'finalizers with an order',
    's',
    {
      metadata: {
        '$setElementOrder/finalizers': ['example.com/z', 'example.com/b'],
        finalizers: ['example.com/z'],
      },
    },
    { pick: (b) => b.metadata.finalizers },
  );
  await p.patch(
    'owners by their uid',
    's',
    { metadata: { ownerReferences: [owner('two')] } },
    { pick: (b) => b.metadata.ownerReferences },
  );
  await p.patch(
    'an owner changed',
    's',
    { metadata: { ownerReferences: [{ uid: 'uid-two', controller: true }] } },
    { pick: (b) => b.metadata.ownerReferences },
  );
  await p.patch(
    'an owner deleted',
    's',
    { metadata: { ownerReferences: [{ uid: 'uid-one', $patch: 'delete' }] } },
    { pick: (b) => b.metadata.ownerReferences },
  );
  await p.patch('tolerations have no key: the list is replaced', 's', {
    spec: { tolerations: [{ key: 'x', operator: 'Exists' }] },
  });
  await p.patch(
    'a null finalizer list',
    's',
    { metadata: { finalizers: null } },
    { pick: (b) => b.metadata.finalizers ?? 'none' },
  );
  await p.patch('an empty patch', 's', {});
  await p.patch('a patch that is a list', 's', []);
  await p.patch('an unknown $patch', 's', { metadata: { labels: { $patch: 'twist' } } });
  await p.patch('a wrong type', 's', { spec: { containers: { name: 'a' } } });
  await p.patch('a patch with a resourceVersion that is stale', 's', {
    metadata: { resourceVersion: '1', labels: { a: 'b' } },
  });
  await p.patch(
    'JSON merge patch replaces lists',
    's',
    { spec: { containers: [{ name: 'a', image: 'i' }] } },
    { type: MERGE },
  );
  await p.patch(
    'JSON merge patch of an annotation',
    's',
    { metadata: { annotations: { a: 'b' } } },
    { type: MERGE, pick: (b) => b.metadata.annotations },
  );
  await p.patch(
    'JSON patch of an image',
    's',
    [
      { op: 'test', path: '/spec/containers/0/name', value: 'a' },
      { op: 'replace', path: '/spec/containers/0/image', value: 'example.com/a:3' },
    ],
    { type: JSON_PATCH, pick: images },
  );
  await p.patch(
    'a JSON patch whose test fails',
    's',
    [{ op: 'test', path: '/spec/containers/0/name', value: 'z' }],
    { type: JSON_PATCH },
  );
  await t.step('a patch of a pod that does not exist', 'PATCH', p.at('none'), { body: {}, type: STRATEGIC });
}

export async function podApply(t) {
  const p = await pods(t, 'pod-apply');
  const body = (containers, rest = {}, meta = {}) => p.make('p', { spec: { containers, ...rest } }, meta);
  const own = ({ metadata, spec: s }) => ({
    spec: {
      containers: s.containers.map(({ name, image, env, ports }) => ({ name, image, env, ports })),
      tolerations: s.tolerations,
    },
    labels: metadata.labels,
    managers: metadata.managedFields?.map((m) => [m.manager, m.operation, m.subresource, m.fieldsV1]).sort(),
  });
  await p.apply(
    'create',
    'p',
    'alpha',
    body(
      [container('a', { env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80, name: 'http' }] })],
      {},
      { labels: { app: 'p' } },
    ),
    { pick: own },
  );
  await p.apply(
    'the same again',
    'p',
    'alpha',
    body(
      [container('a', { env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80, name: 'http' }] })],
      {},
      { labels: { app: 'p' } },
    ),
    { pick: own },
  );
  await p.apply('a conflict over an image', 'p', 'beta', body([container('a', { image: 'other' })]));
  await p.apply(
    'no conflict over another field',
    'p',
    'beta',
    body([{ name: 'a', image: 'example.com/app:1' }], {}, { labels: { by: 'beta' } }),
    { pick: own },
  );
  await p.apply(
    'force',
    'p',
    'beta',
    body([container('a', { image: 'other' })], {}, { labels: { by: 'beta' } }),
    { query: '&force=true', pick: own },
  );
  await p.apply(
    'a container may not be added',
    'p',
    'beta',
    body([container('a', { image: 'other' }), container('n')]),
  );
  await p.apply('a container twice', 'p', 'gamma', body([container('a'), container('a')]));
  await p.apply('a container without its key', 'p', 'gamma', body([{ image: 'x' }]));
  await p.apply('an unknown field', 'p', 'gamma', body([container('a', { image: 'other', nope: 1 })]), {
    query: '&dryRun=All',
    pick: own,
  });
  await p.apply(
    'no port protocol takes the default as its key',
    'p',
    'gamma',
    body([{ name: 'a', ports: [{ containerPort: 80 }] }]),
    { query: '&dryRun=All', pick: own },
  );
  await p.apply(
    'status by apply',
    'p',
    'kubelet',
    p.make('p', {
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'a', ready: true, image: 'i', imageID: '', restartCount: 0 }],
      },
    }),
    {
      sub: 'status',
      pick: (b) => [b.status, b.metadata.managedFields.filter((m) => m.manager === 'kubelet')],
    },
  );
  await p.apply('another manager drops its label', 'p', 'beta', body([container('a', { image: 'other' })]), {
    pick: own,
  });
  await p.apply('no fieldManager', 'p', '', body([container('a')]));
}

export async function podStatusWrites(t) {
  const p = await pods(t, 'pod-status');
  await p.made(p.make('s', { spec: podSpec() }));
  const running = {
    phase: 'Running',
    podIP: '127.0.0.2',
    podIPs: [{ ip: '127.0.0.2' }],
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    startTime: '2026-01-02T03:04:05Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' }],
    containerStatuses: [
      {
        name: 'c',
        ready: true,
        restartCount: 2,
        image: 'i',
        imageID: 'id',
        state: { running: { startedAt: '2026-01-02T03:04:05Z' } },
      },
    ],
  };
  await p.get('get of the subresource', 's', lean, 'status');
  await p.put(
    'update of the status',
    's',
    (o) => {
      o.status = running;
    },
    { sub: 'status' },
  );
  await p.put(
    'spec and labels are ignored there, annotations are not',
    's',
    (o) => {
      o.spec.containers[0].image = 'other';
      o.metadata.labels = { a: 'b' };
      o.metadata.annotations = { a: 'b' };
    },
    { sub: 'status' },
  );
  await p.patch(
    'a condition by its type',
    's',
    { status: { conditions: [{ type: 'example.com/x', status: 'True' }] } },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await p.patch(
    'a condition changed',
    's',
    { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'No', message: 'not ready' }] } },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await p.patch(
    'a condition deleted, with an order',
    's',
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'Ready' }],
        conditions: [{ type: 'example.com/x', $patch: 'delete' }],
      },
    },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await p.patch(
    'merge patch of the phase',
    's',
    { status: { phase: 'Succeeded' } },
    { sub: 'status', type: MERGE, pick: (b) => b.status.phase },
  );
  await p.patch(
    'an unknown phase is taken',
    's',
    { status: { phase: 'Resting' } },
    { sub: 'status', type: MERGE, pick: (b) => b.status?.phase },
  );
  await p.patch(
    'a condition with a bad type',
    's',
    { status: { conditions: [{ type: 'a b', status: 'True' }] } },
    { sub: 'status', type: MERGE, pick: (b) => b.status?.conditions },
  );
  await p.patch(
    'a condition with an unknown status',
    's',
    { status: { conditions: [{ type: 'A', status: 'Maybe' }] } },
    { sub: 'status', type: MERGE, pick: (b) => b.status?.conditions },
  );
  await p.patch(
    'an address that is none',
    's',
    { status: { podIP: 'x', podIPs: [{ ip: 'x' }] } },
    { sub: 'status', type: MERGE, pick: (b) => b.status?.podIPs },
  );
  await p.patch(
    'podIP alone sets podIPs',
    's',
    { status: { podIP: '127.0.0.9' } },
    { sub: 'status', type: MERGE, pick: (b) => [b.status?.podIP, b.status?.podIPs] },
  );
  await p.patch(
    'a container that has terminated',
    's',
    {
      status: {
        containerStatuses: [
          {
            name: 'c',
            ready: false,
            restartCount: 2,
            image: 'i',
            imageID: 'id',
            state: { terminated: { exitCode: 1 } },
          },
        ],
      },
    },
    { sub: 'status', type: MERGE, pick: (b) => b.status?.containerStatuses },
  );
  await p.patch(
    'a status through the pod itself is ignored',
    's',
    { status: { phase: 'Failed' } },
    { type: MERGE, pick: (b) => b.status.phase },
  );
  await p.patch('status: null', 's', { status: null }, { sub: 'status', type: MERGE, pick: (b) => b.status });
  await t.step('delete of the status', 'DELETE', p.at('s', 'status'));
  await t.step('the status of a pod that does not exist', 'GET', p.at('none', 'status'));
  await t.step('an unknown subresource', 'GET', p.at('s', 'nothing'));
}

export async function podBinding(t) {
  const p = await pods(t, 'pod-binding');
  const binding = (name, target, meta = {}) => ({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...meta },
    target,
  });
  for (const n of ['a', 'b', 'c']) await p.made(p.make(n, { spec: podSpec() }));
  await t.step('bind', 'POST', p.at('a', 'binding'), {
    body: binding('a', { kind: 'Node', name: 'conf-node' }, { annotations: { by: 'scheduler' } }),
  });
  await p.get('the pod has its node and a condition', 'a');
  await t.step('bind it again', 'POST', p.at('a', 'binding'), {
    body: binding('a', { kind: 'Node', name: 'other' }),
  });
  await t.step('bind through the collection of bindings', 'POST', `/api/v1/namespaces/${p.ns}/bindings`, {
    body: binding('b', { kind: 'Node', name: 'conf-node' }),
  });
  await p.get('which does the same', 'b', (b) => [b.spec.nodeName, b.status.conditions]);
  await t.step('no target name', 'POST', p.at('c', 'binding'), { body: binding('c', { kind: 'Node' }) });
  await t.step('a target of another kind', 'POST', p.at('c', 'binding'), {
    body: binding('c', { kind: 'Pod', name: 'x' }),
  });
  await t.step('a name that differs from the path', 'POST', p.at('c', 'binding'), {
    body: binding('x', { kind: 'Node', name: 'n' }),
  });
  await t.step('a dry run', 'POST', `${p.at('c', 'binding')}?dryRun=All`, {
    body: binding('c', { kind: 'Node', name: 'n' }),
  });
  await p.get('bound nothing', 'c', (b) => b.spec.nodeName ?? 'no node');
  await t.step("a uid that is not the pod's", 'POST', p.at('c', 'binding'), {
    body: binding('c', { kind: 'Node', name: 'n' }, { uid: '11111111-2222-4333-8444-555555555555' }),
  });
  await t.step('no target kind', 'POST', p.at('c', 'binding'), { body: binding('c', { name: 'conf-node' }) });
  await t.step('a pod that does not exist', 'POST', p.at('none', 'binding'), {
    body: binding('none', { kind: 'Node', name: 'n' }),
  });
  await t.step('get is not offered', 'GET', p.at('a', 'binding'));
  await p.create(
    'a pod created with its node',
    p.make('d', { spec: podSpec({ nodeName: 'conf-node' }) }),
    (b) => [b.spec.nodeName, b.status],
  );
  await p.list('by spec.nodeName', '?fieldSelector=spec.nodeName%3Dconf-node');
  await p.list('by no node', '?fieldSelector=spec.nodeName%3D');
}

export async function podEviction(t) {
  const p = await pods(t, 'pod-eviction');
  const pdbs = await scene(t, 'policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', p.ns);
  const evict = (name, rest = {}) => ({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...rest,
  });
  for (const [n, app] of [
    ['a', 'free'],
    ['b', 'held'],
    ['c', 'held'],
    ['d', 'two'],
    ['e', 'free'],
    ['f', 'free'],
  ])
    await p.made(p.make(n, { spec: podSpec() }, { labels: { app } }));
  await t.step('a dry run', 'POST', `${p.at('a', 'eviction')}?dryRun=All`, { body: evict('a') });
  await p.get('left it', 'a', (b) => b.metadata.name);
  await t.step('eviction', 'POST', p.at('a', 'eviction'), { body: evict('a') });
  await p.get('the pod that had no node is gone', 'a');
  await t.step('of a pod that does not exist', 'POST', p.at('none', 'eviction'), { body: evict('none') });
  await t.step('a name that differs', 'POST', p.at('b', 'eviction'), { body: evict('x') });
  await t.step('v1beta1 is taken too', 'POST', p.at('f', 'eviction'), {
    body: { ...evict('f'), apiVersion: 'policy/v1beta1' },
  });
  await pdbs.made(
    pdbs.make('held', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'held' } } } }),
  );
  await t.step('a pending pod is not held by a budget', 'POST', `${p.at('b', 'eviction')}?dryRun=All`, {
    body: evict('b'),
  });
  for (const n of ['b', 'c'])
    await t.setup('PATCH', p.at(n, 'status'), {
      body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      type: MERGE,
    });
  await settle(
    t,
    'the budget to be seen',
    async () =>
      (await t.client.request('POST', `${p.at('b', 'eviction')}?dryRun=All`, { body: evict('b') })).status !==
      201,
  );
  await t.step('a running pod under it', 'POST', p.at('b', 'eviction'), { body: evict('b') });
  const budget = await t.setup('GET', pdbs.at('held'));
  await t.setup('PUT', pdbs.at('held', 'status'), {
    body: {
      ...budget,
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 1,
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 2,
        conditions: [],
      },
    },
  });
  await t.step('one disruption is allowed', 'POST', p.at('b', 'eviction'), { body: evict('b') });
  await pdbs.get('the budget counts it', 'held', (b) => [
    b.status.disruptionsAllowed,
    Object.keys(b.status.disruptedPods ?? {}),
  ]);
  await t.step('a second is not', 'POST', p.at('c', 'eviction'), { body: evict('c') });
  await t.step('unless the pod has ended', 'PATCH', p.at('c', 'status'), {
    body: { status: { phase: 'Succeeded' } },
    type: MERGE,
    pick: (b) => b.status.phase,
  });
  await t.step('which goes at once', 'POST', p.at('c', 'eviction'), { body: evict('c') });
  for (const n of ['one', 'two'])
    await pdbs.made(pdbs.make(n, { spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'two' } } } }));
  await t.setup('PATCH', p.at('d', 'status'), {
    body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    type: MERGE,
  });
  await settle(
    t,
    'both budgets to be seen',
    async () =>
      (await t.client.request('POST', `${p.at('d', 'eviction')}?dryRun=All`, { body: evict('d') })).status ===
      500,
  );
  await t.step('two budgets for one pod', 'POST', p.at('d', 'eviction'), { body: evict('d') });
  await t.step('a wrong precondition', 'POST', p.at('e', 'eviction'), {
    body: evict('e', { deleteOptions: { preconditions: { uid: 'other' } } }),
  });
  await t.step('with a grace period', 'POST', p.at('e', 'eviction'), {
    body: evict('e', { deleteOptions: { gracePeriodSeconds: 0 } }),
  });
  await t.step('get is not offered', 'GET', p.at('d', 'eviction'));
}

export async function podEphemeralContainers(t) {
  const p = await pods(t, 'pod-ephemeral');
  await p.made(p.make('e', { spec: podSpec() }));
  const shown = (b) => [b.metadata.generation, b.spec.ephemeralContainers];
  await p.get('get', 'e', lean, 'ephemeralcontainers');
  await p.patch(
    'add one',
    'e',
    {
      spec: {
        ephemeralContainers: [
          { name: 'debug', image: 'busybox', targetContainerName: 'c', stdin: true, tty: true },
        ],
      },
    },
    { sub: 'ephemeralcontainers', pick: shown },
  );
  await p.patch(
    'add another by strategic merge',
    'e',
    { spec: { ephemeralContainers: [{ name: 'more', image: 'busybox:1' }] } },
    { sub: 'ephemeralcontainers', pick: shown },
  );
  await p.patch(
    'one of them may not change',
    'e',
    { spec: { ephemeralContainers: [{ name: 'more', image: 'other' }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'nor go',
    'e',
    { spec: { ephemeralContainers: [{ name: 'more', $patch: 'delete' }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'the name of a container',
    'e',
    { spec: { ephemeralContainers: [{ name: 'c', image: 'i' }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'a target that does not exist',
    'e',
    { spec: { ephemeralContainers: [{ name: 'z', image: 'i', targetContainerName: 'q' }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'with ports',
    'e',
    { spec: { ephemeralContainers: [{ name: 'z', image: 'i', ports: [{ containerPort: 80 }] }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'with a probe',
    'e',
    {
      spec: { ephemeralContainers: [{ name: 'z', image: 'i', livenessProbe: { exec: { command: ['a'] } } }] },
    },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'with resources',
    'e',
    { spec: { ephemeralContainers: [{ name: 'z', image: 'i', resources: { limits: { cpu: '1' } } }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.patch(
    'without an image',
    'e',
    { spec: { ephemeralContainers: [{ name: 'z' }] } },
    { sub: 'ephemeralcontainers' },
  );
  await p.put(
    'other fields are ignored there',
    'e',
    (o) => {
      o.spec.containers[0].image = 'other';
      o.metadata.labels = { a: 'b' };
    },
    { sub: 'ephemeralcontainers', pick: (b) => [b.spec.containers[0].image, b.metadata.labels ?? 'none'] },
  );
  await p.put('through the pod itself', 'e', (o) => {
    o.spec.ephemeralContainers = [];
  });
  await t.step('of a pod that does not exist', 'GET', p.at('none', 'ephemeralcontainers'));
}

export async function podResize(t) {
  const p = await pods(t, 'pod-resize');
  const r = (cpu, memory = '1Gi') => ({ requests: { cpu, memory }, limits: { cpu, memory } });
  await p.made(p.make('r', { spec: podSpec({ containers: [container('c', { resources: r('1') })] }) }));
  await p.made(p.make('best', { spec: podSpec() }));
  const shown = (b) => [
    b.metadata.generation,
    b.spec.containers[0].resources,
    b.spec.containers[0].resizePolicy,
  ];
  await p.get('get', 'r', shown, 'resize');
  await p.patch(
    'more cpu',
    'r',
    { spec: { containers: [{ name: 'c', resources: r('2') }] } },
    { sub: 'resize', pick: shown },
  );
  await p.patch(
    'less memory',
    'r',
    { spec: { containers: [{ name: 'c', resources: r('2', '512Mi') }] } },
    { sub: 'resize', pick: shown },
  );
  await p.patch(
    'the quality of service may not change',
    'r',
    { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '500m' } } }] } },
    { sub: 'resize' },
  );
  await p.patch(
    'an image there is ignored',
    'r',
    { spec: { containers: [{ name: 'c', image: 'other' }] } },
    { sub: 'resize', pick: (b) => b.spec.containers[0].image },
  );
  await p.patch(
    'storage may not change',
    'r',
    {
      spec: {
        containers: [
          {
            name: 'c',
            resources: { requests: { 'ephemeral-storage': '1Gi' }, limits: { 'ephemeral-storage': '1Gi' } },
          },
        ],
      },
    },
    { sub: 'resize' },
  );
  await p.patch(
    'a bad quantity',
    'r',
    { spec: { containers: [{ name: 'c', resources: { limits: { cpu: 'x' } } }] } },
    { sub: 'resize' },
  );
  await p.patch(
    'a best effort pod',
    'best',
    { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
    { sub: 'resize', pick: shown },
  );
  await p.patch('of a pod that does not exist', 'none', { spec: {} }, { sub: 'resize' });
  await p.patch(
    'a dry run',
    'r',
    { spec: { containers: [{ name: 'c', resources: r('3', '512Mi') }] } },
    { sub: 'resize', query: '?dryRun=All', pick: shown },
  );
}

export async function podDeletion(t) {
  const p = await pods(t, 'pod-deletion');
  const shown = (b) => ({
    kind: b.kind,
    status: typeof b.status === 'string' ? b.status : b.status?.phase,
    deleting: Boolean(b.metadata?.deletionTimestamp),
    grace: b.metadata?.deletionGracePeriodSeconds,
    generation: b.metadata?.generation,
    finalizers: b.metadata?.finalizers,
  });
  const make = (n, rest, meta) => p.made(p.make(n, { spec: podSpec(rest) }, meta));
  await make('free');
  await p.remove('a pod without a node goes at once', 'free');
  await p.get('it is gone', 'free');
  await make('bound', { nodeName: 'conf-node' });
  await p.remove('a bound pod lingers', 'bound', '', shown);
  await p.get('with its default grace period', 'bound', shown);
  await p.remove('a shorter grace period takes effect', 'bound', '?gracePeriodSeconds=5', shown);
  await p.remove('a longer one does not', 'bound', '?gracePeriodSeconds=60', shown);
  await p.patch('it may still be patched', 'bound', { metadata: { labels: { a: 'b' } } }, { pick: shown });
  await p.patch('no finalizer may be added', 'bound', { metadata: { finalizers: ['example.com/late'] } });
  await p.remove('a dry run at last', 'bound', '?gracePeriodSeconds=0&dryRun=All', shown);
  await p.remove('grace period 0', 'bound', '?gracePeriodSeconds=0', shown);
  await p.get('ends it', 'bound');
  await make('own', { nodeName: 'conf-node', terminationGracePeriodSeconds: 7 });
  await p.remove("a pod's own grace period", 'own', '', shown);
  await make('zero', { nodeName: 'conf-node', terminationGracePeriodSeconds: 0 });
  await p.remove("a pod's own grace period of 0", 'zero', '', shown);
  await p.get('what remains of it', 'zero', shown);
  await make('done', { nodeName: 'conf-node' });
  await t.setup('PATCH', p.at('done', 'status'), { body: { status: { phase: 'Succeeded' } }, type: MERGE });
  await p.remove('a bound pod that has ended', 'done', '', shown);
  await p.get('goes at once', 'done');
  await make('held', {}, { finalizers: ['example.com/hold'] });
  await p.remove('a finalizer holds it', 'held', '', shown);
  await p.remove('deleted again', 'held', '?gracePeriodSeconds=0', shown);
  await p.patch(
    'the last finalizer',
    'held',
    { metadata: { finalizers: null } },
    { type: MERGE, pick: shown },
  );
  await p.get('then it is gone', 'held');
  await make('pre');
  await t.step('a precondition on another uid', 'DELETE', p.at('pre'), {
    body: { preconditions: { uid: '11111111-2222-4333-8444-555555555555' } },
  });
  await t.step('a negative grace period in the body', 'DELETE', p.at('pre'), {
    body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: -1 },
    pick: shown,
  });
  await make('fore');
  await t.step('foreground deletion waits', 'DELETE', p.at('fore'), {
    body: { propagationPolicy: 'Foreground' },
    pick: shown,
  });
  await make('bg');
  await t.step('background deletion', 'DELETE', p.at('bg'), {
    body: { propagationPolicy: 'Background' },
    pick: shown,
  });
  await t.step('an unknown policy', 'DELETE', p.at('fore'), { body: { propagationPolicy: 'Later' } });
  await wipe(t, p.all);
  for (const [n, app] of [
    ['x', 'one'],
    ['y', 'one'],
    ['z', 'two'],
  ])
    await make(n, n === 'y' ? { nodeName: 'conf-node' } : {}, { labels: { app } });
  await t.step('deletecollection by label', 'DELETE', `${p.all}?labelSelector=app%3Done`, {
    pick: (b) => ({
      kind: b.kind,
      items: b.items?.map((i) => [i.metadata.name, i.metadata.deletionGracePeriodSeconds]),
    }),
  });
  await p.list('the bound one and the other are left', '', (b) =>
    b.items.map((i) => [i.metadata.name, Boolean(i.metadata.deletionTimestamp)]),
  );
  await t.step(
    'deletecollection by field with grace 0',
    'DELETE',
    `${p.all}?fieldSelector=spec.nodeName%3Dconf-node&gracePeriodSeconds=0`,
    { pick: (b) => b.items?.map((i) => i.metadata.name) },
  );
  await p.list('what is left', '');
}

export async function podLists(t) {
  const p = await pods(t, 'pod-lists');
  const make = (n, rest, labels) => p.made(p.make(n, { spec: podSpec(rest) }, { labels }));
  await make('a', {}, { app: 'web', tier: 'front' });
  await make('b', { nodeName: 'n1', restartPolicy: 'Never', serviceAccountName: 'robot' }, { app: 'web' });
  await make('c', { nodeName: 'n2', schedulerName: 'mine', hostNetwork: true }, { app: 'db' });
  await make('d', {
    readinessGates: [{ conditionType: 'example.com/gate' }],
    initContainers: [container('i1'), container('i2')],
    containers: [container('x'), container('y')],
  });
  await t.setup('PATCH', p.at('b', 'status'), {
    body: {
      status: {
        phase: 'Running',
        podIP: '127.0.0.7',
        podIPs: [{ ip: '127.0.0.7' }],
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          { name: 'c', ready: true, restartCount: 3, image: 'i', imageID: '', state: { running: {} } },
        ],
      },
    },
    type: MERGE,
  });
  await t.setup('PATCH', p.at('c', 'status'), {
    body: { status: { phase: 'Failed', reason: 'Evicted' } },
    type: MERGE,
  });
  for (const sel of [
    'status.phase=Running',
    'status.phase!=Running',
    'status.phase=Pending,spec.nodeName=',
    'spec.nodeName=n2',
    'spec.restartPolicy=Never',
    'spec.serviceAccountName=robot',
    'spec.schedulerName=mine',
    'spec.hostNetwork=true',
    'status.podIP=127.0.0.7',
    'status.nominatedNodeName=',
    'metadata.name=a',
    'spec.nodeName!=n1,metadata.name!=a',
  ]) {
    await p.list(`field selector ${sel}`, `?fieldSelector=${encodeURIComponent(sel)}`);
  }
  for (const sel of [
    'spec.containers=x',
    'status.reason=Evicted',
    'metadata.labels=x',
    'status.phase>1',
    'nonsense',
  ])
    await p.list(`unsupported field selector ${sel}`, `?fieldSelector=${encodeURIComponent(sel)}`);
  for (const sel of [
    'app=web',
    'app!=web',
    'app in (web,db)',
    'app notin (web)',
    '!app',
    'tier',
    'app=web,!tier',
    'app==db',
  ])
    await p.list(`label selector ${sel}`, `?labelSelector=${encodeURIComponent(sel)}`);
  for (const sel of ['app in web', 'a b', 'app=!x', '=x'])
    await p.list(`bad label selector ${sel}`, `?labelSelector=${encodeURIComponent(sel)}`);
  await p.list('in pages', '?limit=3', (b) => [
    names(b),
    Boolean(b.metadata.continue),
    b.metadata.remainingItemCount,
  ]);
  await t.step('of all namespaces', 'GET', '/api/v1/pods?fieldSelector=spec.schedulerName%3Dmine', {
    pick: (b) => ({ kind: b.kind, apiVersion: b.apiVersion, names: names(b) }),
  });
  await p.table('as a table');
  await t.step('one as a table', 'GET', p.at('b'), { headers: TABLE, pick: table });
  await t.step('a table with whole objects', 'GET', `${p.all}?includeObject=Object&limit=1`, {
    headers: TABLE,
    pick: (b) => [table(b).rows, Object.keys(b.rows[0].object).sort()],
  });
  await t.step('a table without objects', 'GET', `${p.all}?includeObject=None&limit=1`, {
    headers: TABLE,
    pick: (b) => b.rows.map((r) => r.object ?? 'none'),
  });
  await t.setup('DELETE', `${p.at('b')}`);
  await p.table('a terminating pod and its reason', '?fieldSelector=metadata.name%3Db');
  await t.setup('PATCH', p.at('d', 'status'), {
    body: {
      status: {
        initContainerStatuses: [
          {
            name: 'i1',
            ready: true,
            restartCount: 0,
            image: 'i',
            imageID: '',
            state: { terminated: { exitCode: 0 } },
          },
          {
            name: 'i2',
            ready: false,
            restartCount: 1,
            image: 'i',
            imageID: '',
            state: { waiting: { reason: 'CrashLoopBackOff' } },
          },
        ],
      },
    },
    type: MERGE,
  });
  await p.table('an init container that fails', '?fieldSelector=metadata.name%3Dd');
  await t.step('only the metadata', 'GET', p.all, {
    headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      kind: b.kind,
      apiVersion: b.apiVersion,
      items: b.items.map((i) => [i.kind, i.apiVersion, Object.keys(i).sort(), i.metadata.name]),
    }),
  });
}

export async function podWatch(t) {
  const p = await pods(t, 'pod-watch');
  const {
    metadata: { resourceVersion: rv },
  } = await t.setup('GET', p.all);
  await t.watch('a life', `${p.all}?watch=1&resourceVersion=${rv}`, { count: 6, pick: event }, async () => {
    await p.made(p.make('w', { spec: podSpec() }, { labels: { app: 'w' } }));
    await t.setup('PATCH', p.at('w'), {
      body: { spec: { containers: [{ name: 'c', image: 'two' }] } },
      type: STRATEGIC,
    });
    await t.setup('POST', p.at('w', 'binding'), {
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'w' },
        target: { kind: 'Node', name: 'n1' },
      },
    });
    await t.setup('DELETE', p.at('w'));
    await t.setup('DELETE', `${p.at('w')}?gracePeriodSeconds=0`);
  });
  const {
    metadata: { resourceVersion: rv2 },
  } = await t.setup('GET', p.all);
  await t.watch(
    'by node: a pod comes into sight when it is bound',
    `${p.all}?watch=1&resourceVersion=${rv2}&fieldSelector=spec.nodeName%3Dn1`,
    { count: 3, pick: event },
    async () => {
      await p.made(p.make('v', { spec: podSpec() }));
      await t.setup('POST', p.at('v', 'binding'), {
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'v' },
          target: { kind: 'Node', name: 'n1' },
        },
      });
      await t.setup('DELETE', `${p.at('v')}?gracePeriodSeconds=0`);
    },
  );
  const {
    metadata: { resourceVersion: rv3 },
  } = await t.setup('GET', p.all);
  await t.watch(
    'by phase: it goes out of sight',
    `${p.all}?watch=1&resourceVersion=${rv3}&fieldSelector=status.phase%3DPending`,
    { count: 2, pick: event },
    async () => {
      await p.made(p.make('x', { spec: podSpec() }));
      await t.setup('PATCH', p.at('x', 'status'), { body: { status: { phase: 'Running' } }, type: MERGE });
    },
  );
  await t.watch('as a table', `${p.all}?watch=1&fieldSelector=metadata.name%3Dx`, {
    count: 1,
    headers: TABLE,
    pick: (e) => [e.type, e.object.kind, table(e.object).rows],
  });
  await t.watch(
    'the list first, then a bookmark',
    `${p.all}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    {
      count: 2,
      bookmarks: true,
      pick: (e) => [e.type, e.object.kind, e.object.metadata.annotations ?? e.object.metadata.name],
    },
  );
}

export async function podConnections(t) {
  const p = await pods(t, 'pod-connections');
  await p.made(p.make('c', { spec: podSpec({ containers: [container('one'), container('two')] }) }));
  await p.made(p.make('s', { spec: podSpec() }));
  await t.step('log of a pod that is not placed', 'GET', p.at('s', 'log'));
  await t.step('log of one of several containers', 'GET', p.at('c', 'log'));
  await t.step('log of an unknown container', 'GET', `${p.at('c', 'log')}?container=three`);
  await t.step('log with bad options', 'GET', `${p.at('s', 'log')}?tailLines=-1`);
  await t.step('log of a pod that does not exist', 'GET', p.at('none', 'log'));
  await t.step('exec into a pod that is not placed', 'POST', `${p.at('s', 'exec')}?command=ls&stdout=true`);
  await t.step('exec without a command', 'POST', `${p.at('s', 'exec')}?stdout=true`);
  await t.step(
    'exec into an unknown container',
    'POST',
    `${p.at('c', 'exec')}?command=ls&stdout=true&container=three`,
  );
  await t.step('attach to a pod that is not placed', 'POST', `${p.at('s', 'attach')}?stdout=true`);
  await t.step('port-forward to a pod that is not placed', 'POST', `${p.at('s', 'portforward')}?ports=80`);
}
