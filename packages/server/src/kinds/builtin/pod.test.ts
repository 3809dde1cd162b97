import { describe, expect, it } from 'vitest';
import { pods } from './pod.ts';
import { Trial } from './trial.ts';

const trial = new Trial(pods);
const container = (rest: object = {}) => ({ name: 'c', image: 'example.com/app:1', ...rest });
const pod = (rest: object = {}) => ({ spec: { containers: [container()], ...rest } });
const withContainer = (rest: object) => pod({ containers: [container(rest)] });
// biome-ignore lint/suspicious/noExplicitAny: tests look at any part of a pod.
const specOf = (body: object): any => trial.create(body)['spec'];

describe('the defaults of a pod', () => {
  it('fill in what every pod has', () => {
    expect(specOf(pod())).toEqual({
      containers: [
        {
          name: 'c',
          image: 'example.com/app:1',
          resources: {},
          imagePullPolicy: 'IfNotPresent',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  it.each([
    ['app', 'Always'],
    ['app:latest', 'Always'],
    ['app:1', 'IfNotPresent'],
    ['reg.example.com:5000/app', 'Always'],
    [`app@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    ['NOT/Valid', 'IfNotPresent'],
  ])('pull the image %s with the policy %s', (image, policy) => {
    expect(specOf(withContainer({ image })).containers[0].imagePullPolicy).toBe(policy);
  });

  it('request what is limited', () => {
    const resources = { limits: { cpu: '0.5', memory: '1024Mi' } };
    expect(specOf(withContainer({ resources })).containers[0].resources).toEqual({
      limits: { cpu: '500m', memory: '1Gi' },
      requests: { cpu: '500m', memory: '1Gi' },
    });
  });

  it('open the ports of a pod in the host network', () => {
    const body = pod({ hostNetwork: true, containers: [container({ ports: [{ containerPort: 80 }] })] });
    expect(specOf(body).containers[0].ports).toEqual([{ hostPort: 80, containerPort: 80, protocol: 'TCP' }]);
  });

  it('make a volume without a source an empty directory', () => {
    expect(specOf(pod({ volumes: [{ name: 'v' }] })).volumes).toEqual([{ name: 'v', emptyDir: {} }]);
  });

  it('keep both names of the service account the same', () => {
    expect(specOf(pod({ serviceAccount: 'me' }))).toMatchObject({
      serviceAccount: 'me',
      serviceAccountName: 'me',
    });
  });

  it('raise a negative grace period to one second', () => {
    expect(specOf(pod({ terminationGracePeriodSeconds: -5 })).terminationGracePeriodSeconds).toBe(1);
  });
});

describe('the class of service', () => {
  const classOf = (resources: object) =>
    (trial.create(withContainer({ resources }))['status'] as { qosClass: string }).qosClass;

  it('is best effort without requests', () => expect(classOf({})).toBe('BestEffort'));
  it('is guaranteed if all limits are requested', () =>
    expect(classOf({ limits: { cpu: '1', memory: '1Gi' } })).toBe('Guaranteed'));
  it('is burstable otherwise', () => expect(classOf({ requests: { cpu: '1' } })).toBe('Burstable'));
});

describe('validation of a pod', () => {
  it.each<[string, object, string[]]>([
    ['no containers', pod({ containers: [] }), ['spec.containers: Required value']],
    [
      'two containers of one name',
      pod({ containers: [container(), container()] }),
      ['spec.containers[1].name: Duplicate value: "c"'],
    ],
    ['no image', pod({ containers: [{ name: 'c' }] }), ['spec.containers[0].image: Required value']],
    [
      'a request above its limit',
      withContainer({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
      [
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
    ],
    [
      'a mount of no volume',
      withContainer({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [
      'a volume of two sources',
      pod({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a probe without a handler',
      withContainer({ livenessProbe: {} }),
      ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ],
    [
      'privileges that are denied and granted',
      withContainer({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
      [
        'spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ],
    ],
    [
      'a toleration of no key that is equal',
      pod({ tolerations: [{ operator: 'Equal', value: 'v' }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'ephemeral containers on create',
      pod({ ephemeralContainers: [{ name: 'e', image: 'i' }] }),
      ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    ],
    [
      'a node and a gate',
      pod({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }),
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
  ])('refuses %s', (_what, body, faults) => {
    expect(trial.faults(body)).toEqual(faults);
  });
});

describe('an update of a pod', () => {
  it('may change an image, which counts as a new generation', () => {
    const { object, faults } = trial.update(withContainer({ image: 'example.com/app:2' }), pod());
    expect([faults, object.metadata.generation]).toEqual([[], 2]);
  });

  it('shows what else differs', () => {
    const { faults } = trial.update(pod({ nodeName: 'n' }), pod());
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('\n- "NodeName": "",\n+ "NodeName": "n",\n');
  });

  it('may not remove a toleration', () => {
    const { faults } = trial.update(pod(), pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }));
    expect(faults[0]).toBe(
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    );
  });

  it('of its ephemeral containers leaves everything else', () => {
    const body = pod({
      containers: [container({ image: 'other' })],
      ephemeralContainers: [{ name: 'e', image: 'i' }],
    });
    const { object, faults } = trial.update(body, pod(), 'ephemeralcontainers');
    expect(faults).toEqual([]);
    expect(object['spec']).toMatchObject({ containers: [container()], ephemeralContainers: [{ name: 'e' }] });
  });

  it('of its size may not change the class of service', () => {
    const next = withContainer({ resources: { requests: { cpu: '1' } } });
    expect(trial.update(next, pod(), 'resize').faults).toEqual([
      'spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
    ]);
  });
});

describe('the columns of a pod', () => {
  it('are those of kubectl', () => {
    expect(trial.columnNames).toEqual([
      ...['Name', 'Ready', 'Status', 'Restarts', 'Age'],
      ...['IP*', 'Node*', 'Nominated Node*', 'Readiness Gates*'],
    ]);
  });

  it('say that a pod waits at a gate', () => {
    expect(trial.cells(pod({ schedulingGates: [{ name: 'a' }] })).slice(1, 4)).toEqual([
      '0/1',
      'SchedulingGated',
      '0',
    ]);
  });
});
