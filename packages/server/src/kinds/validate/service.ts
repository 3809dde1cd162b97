// Services. There is no network behind this server, so what only an allocator of addresses could refuse is
// not refused.

import { ipFamilyOf, validateDns1123Subdomain, validatePortNumber } from '@instar/go';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type KubeObject,
  validateLabels,
} from '@instar/machinery';
import { type NamedPort, validateIp, validatePort, validateReachableIp } from './address.ts';
import { validateCidr } from './cidr.ts';
import { portNameReasons } from './port-name.ts';

export interface ServicePort extends NamedPort {
  targetPort?: string | number;
  nodePort?: number;
}

export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type: string;
  externalIPs?: string[];
  sessionAffinity: string;
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } };
  loadBalancerClass?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
}

export interface Service extends KubeObject {
  spec: ServiceSpec;
  status: JsonObject;
}

const SPEC = FieldPath.of('spec');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const MAX_AFFINITY_SECONDS = 86400;

export const isHeadless = ({ clusterIP }: ServiceSpec): boolean => clusterIP === 'None';
export const isExternal = ({ type, externalIPs = [] }: ServiceSpec): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0);

export function validateService({ spec }: Service, old?: Service): FieldError[] {
  const { ports = [] } = spec;
  const noPorts = ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName';
  return [
    ...(noPorts ? [fieldErrors.required(SPEC.child('ports'))] : []),
    ...validateOfType(spec),
    ...validatePorts(ports),
    ...validateLabels(spec.selector, SPEC.child('selector')),
    ...validateAffinity(spec),
    ...validateClusterIps(spec),
    ...(spec.externalIPs ?? []).flatMap((ip, index) =>
      validateExternalIp(ip, SPEC.child('externalIPs').index(index)),
    ),
    ...oneOf(spec.type, TYPES, 'type'),
    ...validateNodePorts(spec, ports),
    ...validateDuplicatePorts(ports),
    ...validateSourceRanges(spec, old),
    ...validateTraffic(spec),
  ];
}

const oneOf = (value: string | undefined, supported: string[], name: string): FieldError[] =>
  value === undefined || supported.includes(value)
    ? []
    : [fieldErrors.notSupported(SPEC.child(name), value, supported)];

function validateOfType(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return validateExternalName(spec);
  if ((spec.type !== 'LoadBalancer' && spec.type !== 'NodePort') || !isHeadless(spec)) return [];
  return [
    fieldErrors.invalid(
      SPEC.child('clusterIPs').index(0),
      'None',
      `may not be set to 'None' for ${spec.type} services`,
    ),
  ];
}

function validateExternalName({
  clusterIPs = [],
  ipFamilies = [],
  ipFamilyPolicy,
  externalName = '',
}: ServiceSpec): FieldError[] {
  const unfit = (name: string): FieldError =>
    fieldErrors.forbidden(SPEC.child(name), 'may not be set for ExternalName services');
  const errors: FieldError[] = [];
  if (clusterIPs.length > 0) errors.push(unfit('clusterIPs'));
  if (ipFamilies.length > 0) errors.push(unfit('ipFamilies'));
  if (ipFamilyPolicy !== undefined) errors.push(unfit('ipFamilyPolicy'));
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  const path = SPEC.child('externalName');
  if (name === '') return [...errors, fieldErrors.required(path)];
  return [
    ...errors,
    ...validateDns1123Subdomain(name).map((reason) => fieldErrors.invalid(path, name, reason)),
  ];
}

function validatePorts(ports: readonly ServicePort[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = SPEC.child('ports').index(index);
    const errors = validatePort(port, ports.length > 1, path);
    if (port.name !== undefined && names.has(port.name))
      errors.push(fieldErrors.duplicate(path.child('name'), port.name));
    if (port.name !== undefined) names.add(port.name);
    return [...errors, ...validateTargetPort(port.targetPort ?? 0, path.child('targetPort'))];
  });
}

function validateTargetPort(target: string | number, path: FieldPath): FieldError[] {
  const reasons = typeof target === 'number' ? validatePortNumber(target) : portNameReasons(target);
  return reasons.map((reason) => fieldErrors.invalid(path, target, reason));
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const errors = oneOf(sessionAffinity, ['ClientIP', 'None'], 'sessionAffinity');
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (
    sessionAffinity !== 'ClientIP' ||
    seconds === undefined ||
    (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS)
  )
    return errors;
  const path = SPEC.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  return [
    ...errors,
    fieldErrors.invalid(path, seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`),
  ];
}

function validateClusterIps(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { clusterIP = '', clusterIPs: ips = [], ipFamilies = [] } = spec;
  const path = SPEC.child('clusterIPs');
  const errors: FieldError[] = [];
  if (clusterIP !== '' && ips[0] !== clusterIP)
    errors.push(fieldErrors.invalid(path, ips, 'first value must match `clusterIP`'));
  if (clusterIP === '' && ips.length > 0)
    errors.push(fieldErrors.invalid(path, ips, 'must be empty when `clusterIP` is not specified'));
  ipFamilies.forEach((family, index) => {
    if (family !== 'IPv4' && family !== 'IPv6')
      errors.push(fieldErrors.notSupported(SPEC.child('ipFamilies').index(index), family, ['IPv4', 'IPv6']));
    if (ipFamilies.indexOf(family) < index)
      errors.push(fieldErrors.duplicate(SPEC.child('ipFamilies').index(index), family));
  });
  errors.push(
    ...oneOf(spec.ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack'], 'ipFamilyPolicy'),
  );
  if (ips[0] === 'None' && ips.length > 1)
    errors.push(fieldErrors.invalid(path, ips, "'None' must be the first and only value"));
  ips.forEach((ip, index) => {
    if (index > 0 || ip !== 'None') errors.push(...validateIp(ip, path.index(index)));
  });
  if (ips.length > 2) errors.push(fieldErrors.invalid(path, ips, 'may only hold up to 2 values'));
  return errors;
}

function validateExternalIp(ip: string, path: FieldPath): FieldError[] {
  const errors = validateIp(ip, path);
  return errors.length > 0 ? errors : validateReachableIp(ip, path);
}

function validateNodePorts({ type }: ServiceSpec, ports: readonly ServicePort[]): FieldError[] {
  const seen = new Set<string>();
  const forbidden: FieldError[] = [];
  const duplicate: FieldError[] = [];
  ports.forEach(({ nodePort = 0, protocol }, index) => {
    if (nodePort === 0) return;
    const path = SPEC.child('ports').index(index).child('nodePort');
    if (type === 'ClusterIP')
      forbidden.push(fieldErrors.forbidden(path, "may not be used when `type` is 'ClusterIP'"));
    if (seen.has(`${protocol}:${nodePort}`)) duplicate.push(fieldErrors.duplicate(path, nodePort));
    seen.add(`${protocol}:${nodePort}`);
  });
  return [...forbidden, ...duplicate];
}

function validateDuplicatePorts(ports: readonly ServicePort[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ port, protocol = '' }, index) => {
    const key = `${protocol}:${port}`;
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    const errors = seen.has(key) ? [fieldErrors.duplicate(SPEC.child('ports').index(index), shown)] : [];
    seen.add(key);
    return errors;
  });
}

/** Upstream names the field as Go does. Values may be padded with spaces. */
function validateSourceRanges({ type, loadBalancerSourceRanges: ranges = [] }: ServiceSpec, old?: Service) {
  if (ranges.length === 0) return [];
  const path = SPEC.child('LoadBalancerSourceRanges');
  const known = (old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  return [
    ...(type === 'LoadBalancer'
      ? []
      : [fieldErrors.forbidden(path, "may only be used when `type` is 'LoadBalancer'")]),
    ...ranges.flatMap((range, index) => validateCidr(range.trim(), path.index(index), known)),
  ];
}

function validateTraffic(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const {
    externalTrafficPolicy: external,
    loadBalancerClass,
    allocateLoadBalancerNodePorts: allocate,
    healthCheckNodePort = 0,
  } = spec;
  const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
  if (allocate !== undefined && spec.type !== 'LoadBalancer') {
    errors.push(fieldErrors.forbidden(SPEC.child('allocateLoadBalancerNodePorts'), onlyForLoadBalancers));
  }
  if (loadBalancerClass !== undefined && spec.type !== 'LoadBalancer') {
    errors.push(fieldErrors.forbidden(SPEC.child('loadBalancerClass'), onlyForLoadBalancers));
  }
  if (external !== undefined && !isExternal(spec)) {
    errors.push(
      fieldErrors.invalid(
        SPEC.child('externalTrafficPolicy'),
        external,
        'may only be set for externally-accessible services',
      ),
    );
  } else errors.push(...oneOf(external, ['Cluster', 'Local'], 'externalTrafficPolicy'));
  if (healthCheckNodePort !== 0 && (spec.type !== 'LoadBalancer' || external !== 'Local')) {
    const reason = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(fieldErrors.invalid(SPEC.child('healthCheckNodePort'), healthCheckNodePort, reason));
  }
  errors.push(...oneOf(spec.internalTrafficPolicy, ['Cluster', 'Local'], 'internalTrafficPolicy'));
  return [
    ...errors,
    ...oneOf(
      spec.trafficDistribution,
      ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
      'trafficDistribution',
    ),
  ];
}

export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const external = [service, old].some(({ spec }) => spec.type === 'ExternalName');
  const [now, before] = [service.spec.clusterIPs?.[0], old.spec.clusterIPs?.[0]];
  if (!external && before !== undefined && now !== before) {
    errors.push(
      fieldErrors.invalid(
        SPEC.child('clusterIPs').index(0),
        service.spec.clusterIPs ?? [],
        'may not change once set',
      ),
    );
  }
  const [loadBalancer, was] = [service.spec.loadBalancerClass, old.spec.loadBalancerClass];
  if (service.spec.type === 'LoadBalancer' && old.spec.type === 'LoadBalancer' && loadBalancer !== was) {
    errors.push(
      fieldErrors.invalid(SPEC.child('loadBalancerClass'), loadBalancer ?? null, 'may not change once set'),
    );
  }
  return [...errors, ...validateService(service, old)];
}

const IP_MODES = ['Proxy', 'VIP'];

interface LoadBalancerIngress {
  ip?: string;
  ipMode?: string;
  hostname?: string;
}

export function validateServiceStatus({ spec, status }: Service): FieldError[] {
  const { ingress = [] } = (status['loadBalancer'] ?? {}) as { ingress?: LoadBalancerIngress[] };
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  if (spec.type !== 'LoadBalancer' && ingress.length > 0)
    return [fieldErrors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingress.flatMap((each, index) => validateIngress(each, path.index(index)));
}

function validateIngress(
  { ip = '', ipMode, hostname = '' }: LoadBalancerIngress,
  path: FieldPath,
): FieldError[] {
  const errors = ip === '' ? [] : validateIp(ip, path.child('ip'));
  const mode = path.child('ipMode');
  if (ipMode === undefined) {
    if (ip !== '') errors.push(fieldErrors.required(mode, 'must be specified when `ip` is set'));
  } else if (ip === '') errors.push(fieldErrors.forbidden(mode, 'may not be specified when `ip` is not set'));
  else if (!IP_MODES.includes(ipMode)) errors.push(fieldErrors.notSupported(mode, ipMode, IP_MODES));
  if (hostname === '') return errors;
  const name = path.child('hostname');
  for (const reason of validateDns1123Subdomain(hostname))
    errors.push(fieldErrors.invalid(name, hostname, reason));
  if (ipFamilyOf(hostname) !== undefined)
    errors.push(fieldErrors.invalid(name, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}
