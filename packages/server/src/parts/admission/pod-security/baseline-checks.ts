// The checks of the level baseline, besides seccomp profiles: what gives a pod known ways to more privileges.
import { quoteGo } from '@instar/go';
import type { SecurityContext } from './pod.ts';
import {
  badContainers,
  type Check,
  containersNamed,
  contextsOf,
  joinQuoted,
  named,
  plural,
  settersOf,
  sortedSet,
} from './violation.ts';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const isAllowedAnnotation = (value: string): boolean =>
  value === '' || value === 'runtime/default' || value.startsWith('localhost/');
const hasBadAppArmor = ({ appArmorProfile }: SecurityContext): boolean =>
  appArmorProfile !== undefined && !['RuntimeDefault', 'Localhost'].includes(appArmorProfile.type ?? '');

export const appArmorProfile: Check = (pod) => {
  const profiles = contextsOf(pod).filter(hasBadAppArmor);
  const values = sortedSet(profiles.map((context) => context.appArmorProfile!.type ?? ''));
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !isAllowedAnnotation(value))
    .map(([key, value]) => `${key}=${quoteGo(value)}`)
    .sort();
  const setters = settersOf(pod, hasBadAppArmor);
  const all = [
    ...(setters === '' ? [] : [setters]),
    ...(annotations.length === 0 ? [] : [plural('annotation', annotations.length)]),
  ];
  if (all.length === 0) return undefined;
  const found = [...values, ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', found.length),
    detail: `${all.join(' and ')} must not set AppArmor profile type to ${joinQuoted(found)}`,
  };
};

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const capabilities: Check = (pod) => {
  const added = ({ capabilities: own }: SecurityContext): string[] =>
    (own?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name));
  const bad = badContainers(pod, ({ securityContext = {} }) => added(securityContext).length > 0);
  if (bad.length === 0) return undefined;
  const all = sortedSet(pod.containers.flatMap(({ securityContext = {} }) => added(securityContext)));
  return {
    reason: 'non-default capabilities',
    detail: `${containersNamed(bad)} must not include ${joinQuoted(all)} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Check = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath != null).map(({ name }) => name);
  return bad.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', bad) };
};

export const hostPorts: Check = (pod) => {
  const portsOf = (ports: readonly { readonly hostPort?: number }[] = []): string[] =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
  const bad = badContainers(pod, ({ ports }) => portsOf(ports).length > 0);
  if (bad.length === 0) return undefined;
  const all = sortedSet(pod.containers.flatMap(({ ports }) => portsOf(ports)));
  const uses = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${containersNamed(bad)} ${uses} ${plural('hostPort', all.length)} ${all.join(', ')}`,
  };
};

export const hostProbes: Check = (pod) => {
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: (typeof pod.containers)[0]) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
      .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
      .filter((host) => host !== '');
  const bad = sortedSet(badContainers(pod, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const all = sortedSet(pod.containers.flatMap(hostsOf));
  const uses = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersNamed(bad)} ${uses} ${named('probe or lifecycle host', all)}`,
  };
};

export const privileged: Check = (pod) => {
  const bad = badContainers(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containersNamed(bad)} must not set securityContext.privileged=true`,
  };
};

export const procMount: Check = (pod) => {
  const isBad = ({ procMount: own = 'Default' }: SecurityContext): boolean => own !== 'Default';
  const bad = pod.containers.filter(({ securityContext = {} }) => isBad(securityContext));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = sortedSet(bad.map(({ securityContext }) => securityContext!.procMount!));
  return {
    reason: 'procMount',
    detail: `${containersNamed(names)} must not set securityContext.procMount to ${joinQuoted(types)}`,
  };
};

/** A pod with users of its own may do what others may not. */
export const unlessOwnUsers =
  (check: Check): Check =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : check(pod);

export const seLinuxOptions =
  (...allowed: readonly string[]): Check =>
  (pod) => {
    const isBad = ({ seLinuxOptions: own }: SecurityContext): boolean =>
      own !== undefined &&
      (!allowed.includes(own.type ?? '') || (own.user ?? '') !== '' || (own.role ?? '') !== '');
    const setters = settersOf(pod, isBad);
    if (setters === '') return undefined;
    const options = contextsOf(pod).flatMap((context) => context.seLinuxOptions ?? []);
    const types = sortedSet(options.map(({ type = '' }) => type).filter((type) => !allowed.includes(type)));
    const data = [
      ...(types.length > 0 ? [named('type', types)] : []),
      ...(options.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(options.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    };
  };

export const sysctls =
  (...allowed: readonly string[]): Check =>
  ({ spec }) => {
    const all = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
    const bad = all.filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };

export const windowsHostProcess: Check = (pod) => {
  const setters = settersOf(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  if (setters === '') return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};
