import { describe, expect, it } from 'vitest';
import { type Level, type PodSecurityPolicy, policyOfLabels, printLevel } from './level.ts';
import { type Container, checkedPod, type PodSpec, type SecurityContext } from './pod.ts';
import { violationDetails, violationsOf } from './standards.ts';

const HARDENED: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const containers = (change: Partial<Container>, names = ['c']): Container[] =>
  names.map((name) => ({ name, securityContext: HARDENED, ...change }));

const found = (level: Level, spec: PodSpec, minor: number | 'latest' = 'latest', annotations = {}) =>
  violationDetails(violationsOf({ level, version: minor }, checkedPod({ metadata: { annotations }, spec })));
const baseline = (change: Partial<Container>, spec: PodSpec = {}, minor?: number) =>
  found('baseline', { containers: containers(change), ...spec }, minor);
const restricted = (context: SecurityContext, spec: PodSpec = {}, minor?: number) =>
  found(
    'restricted',
    { containers: containers({ securityContext: { ...HARDENED, ...context } }), ...spec },
    minor,
  );

describe('the level baseline', () => {
  it.each<[string, Partial<Container>, PodSpec]>([
    ['host namespaces (hostNetwork=true, hostIPC=true)', {}, { hostNetwork: true, hostIPC: true }],
    [
      'privileged (container "c" must not set securityContext.privileged=true)',
      { securityContext: { privileged: true } },
      {},
    ],
    [
      'non-default capabilities (container "c" must not include "BPF", "SYS_ADMIN" in securityContext.capabilities.add)',
      { securityContext: { capabilities: { add: ['SYS_ADMIN', 'KILL', 'BPF'] } } },
      {},
    ],
    [
      'hostPath volumes (volumes "a", "b")',
      {},
      {
        volumes: [
          { name: 'a', hostPath: {} },
          { name: 'b', hostPath: {} },
        ],
      },
    ],
    ['hostPort (container "c" uses hostPorts 443, 80)', { ports: [{ hostPort: 80 }, { hostPort: 443 }] }, {}],
    [
      'probe or lifecycle host (container "c" uses probe or lifecycle host "a")',
      { livenessProbe: { httpGet: { host: 'a' } }, lifecycle: { preStop: { tcpSocket: { host: 'a' } } } },
      {},
    ],
    [
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
      { securityContext: { procMount: 'Unmasked' } },
      {},
    ],
    [
      'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set)',
      { securityContext: { seLinuxOptions: { type: 'x' } } },
      { securityContext: { seLinuxOptions: { user: 'u' } } },
    ],
    [
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
      {},
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    ],
    [
      'forbidden sysctls (kernel.msgmax)',
      {},
      { securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_rmem' }] } },
    ],
    [
      'hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      {},
    ],
    [
      'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      {},
    ],
  ])('finds %s', (expected, container, spec) => {
    expect(baseline(container, spec)).toBe(expected);
    expect(found('privileged', { containers: containers(container), ...spec })).toBe('');
  });

  it('finds annotations with profiles', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' };
    expect(found('baseline', {}, 'latest', annotations)).toContain(
      'annotation must not set AppArmor profile',
    );
    const old = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(found('baseline', {}, 18, old)).toBe(
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    );
    expect(found('baseline', {}, 19, old)).toBe('');
  });

  it('depends on the version', () => {
    const sysctl = { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } };
    expect(baseline({}, sysctl, 31)).toBe('forbidden sysctls (net.ipv4.tcp_rmem)');
    expect(baseline({}, sysctl, 32)).toBe('');
    const mount = { securityContext: { procMount: 'Unmasked' } };
    expect(baseline(mount, { hostUsers: false }, 34)).toContain('procMount');
    expect(baseline(mount, { hostUsers: false }, 99)).toBe('');
    expect(baseline({ startupProbe: { httpGet: { host: 'a' } } }, {}, 33)).toBe('');
  });
});

describe('the level restricted', () => {
  it('demands what hardened containers say, of all of them', () => {
    expect(restricted({})).toBe('');
    const spec = { containers: [{ name: 'a' }, { name: 'b' }] };
    expect(found('restricted', spec)).toBe(
      [
        'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)',
        'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
        'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
        'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      ].join(', '),
    );
    expect(found('restricted', { ...spec, os: { name: 'windows' } })).toBe(
      'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
    );
    expect(found('restricted', { ...spec, os: { name: 'windows' }, hostUsers: false })).toBe('');
  });

  it.each<[string, SecurityContext, PodSpec]>([
    ['runAsUser=0 (container "c" must not set runAsUser=0)', { runAsUser: 0 }, {}],
    [
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
      {},
      { securityContext: { runAsNonRoot: false } },
    ],
    [
      'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "unknown")',
      {},
      { volumes: [{ name: 'a', hostPath: {} }, { name: 'b' }, { name: 'c', secret: {} }] },
    ],
    [
      'unrestricted capabilities (container "c" must not include "KILL" in securityContext.capabilities.add)',
      { capabilities: { drop: ['ALL'], add: ['KILL', 'NET_BIND_SERVICE'] } },
      {},
    ],
  ])('finds %s', (expected, context, spec) => {
    expect(restricted(context, spec)).toBe(expected);
  });
});

describe('the policy of a namespace', () => {
  const none = { level: 'privileged', version: 'latest' } as const;
  const defaults: PodSecurityPolicy = { enforce: none, audit: none, warn: none };
  const read = (labels: Record<string, string>) => {
    const named = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
    const { policy, errors } = policyOfLabels(Object.fromEntries(named), defaults);
    const { enforce, audit, warn } = policy;
    return { modes: [enforce, audit, warn].map(printLevel), errors: errors.length };
  };

  it.each([
    [{}, ['privileged:latest', 'privileged:latest', 'privileged:latest'], 0],
    [
      { enforce: 'baseline', 'enforce-version': 'v1.25' },
      ['baseline:v1.25', 'privileged:latest', 'baseline:v1.25'],
      0,
    ],
    [
      { enforce: 'restricted', warn: 'baseline' },
      ['restricted:latest', 'privileged:latest', 'baseline:latest'],
      0,
    ],
    [
      { enforce: 'some', audit: 'other', 'warn-version': 'v2' },
      ['restricted:latest', 'privileged:latest', 'privileged:latest'],
      3,
    ],
  ])('is read from %j', (labels, modes, errors) => {
    expect(read(labels as Record<string, string>)).toEqual({ modes, errors });
  });
});
