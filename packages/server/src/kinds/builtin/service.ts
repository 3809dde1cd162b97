// v1 Service. There is no network behind this server: addresses and node ports are given as clients expect
// them, and nothing listens there.

import { nameIsDnsLabel } from '@instar/go';
import { type FieldError, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { ResourceDefinition, WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import {
  isExternal,
  type Service as ServiceObject,
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from '../validate/service.ts';
import { proxyOf } from './proxies.ts';
import {
  giveClusterIps,
  parseServiceRanges,
  type ServiceRanges,
  validateClusterIpsFree,
  validateFamilies,
} from './service-cluster-ips.ts';
import { giveNodePorts, takenNodePorts, validateNodePortsFree } from './service-node-ports.ts';
import { Service } from './service-type.ts';

const DEFAULT_AFFINITY_SECONDS = 10800;

function fillIn(object: JsonObject): void {
  const { spec, status } = object as unknown as ServiceObject;
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: DEFAULT_AFFINITY_SECONDS } };
  }
  for (const port of spec.ports ?? [])
    if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  if (isExternal(spec)) spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  const { ingress } = isJsonObject(status['loadBalancer']) ? status['loadBalancer'] : {};
  for (const way of objects(ingress)) if (way['ip'] !== undefined) way['ipMode'] ??= 'VIP';
}

function prepareForCreate(service: ServiceObject, ranges: ServiceRanges, context: WriteContext): void {
  service.status = { loadBalancer: {} };
  giveClusterIps(service, ranges, context);
  giveNodePorts(service, takenNodePorts(service, context));
}

function prepareForUpdate(
  service: ServiceObject,
  old: ServiceObject,
  ranges: ServiceRanges,
  context: WriteContext,
): void {
  if (context.subresource === 'status') {
    service.spec = structuredClone(old.spec);
    return;
  }
  service.status = structuredClone(old.status);
  if (service.spec.type !== 'LoadBalancer') service.status['loadBalancer'] = {};
  dropFieldsOfOldType(service, old);
  keepAddress(service, old);
  giveClusterIps(service, ranges, context);
  giveNodePorts(service, takenNodePorts(service, context), old);
}

/** As upstream, nothing is allocated for a service that is invalid, and only the first fault is reported. */
function validateAllocated(
  service: ServiceObject,
  errors: FieldError[],
  ranges: ServiceRanges,
  context: WriteContext,
  old?: ServiceObject,
): FieldError[] {
  if (errors.length > 0) return errors;
  for (const validate of [
    () => validateFamilies(service, ranges),
    () => validateClusterIpsFree(service, ranges, context, old),
    () => validateNodePortsFree(service, takenNodePorts(service, context), old),
  ]) {
    const faults = validate();
    if (faults.length > 0) return faults;
  }
  return [];
}

/**
 * A client that changes only the type need not know which fields the server had filled in for the old type.
 */
function dropFieldsOfOldType({ spec }: ServiceObject, { spec: old }: ServiceObject): void {
  if (spec.type === 'ExternalName' && old.type !== 'ExternalName') {
    if (spec.clusterIP === undefined || spec.clusterIP === old.clusterIP) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (isSameList(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
    if (spec.internalTrafficPolicy === old.internalTrafficPolicy) delete spec.internalTrafficPolicy;
  }
  if (spec.type !== 'LoadBalancer' && old.type === 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts)
      delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === old.loadBalancerClass) delete spec.loadBalancerClass;
    if (spec.healthCheckNodePort === old.healthCheckNodePort) delete spec.healthCheckNodePort;
  }
  if (isExternal(old) && !isExternal(spec) && spec.externalTrafficPolicy === old.externalTrafficPolicy)
    delete spec.externalTrafficPolicy;
  if (spec.type === 'ClusterIP' && old.type !== 'ClusterIP')
    for (const port of spec.ports ?? []) delete port.nodePort;
}

const isSameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.join(',') === b.join(',');

/** An update without an address keeps the existing one. */
function keepAddress({ spec }: ServiceObject, { spec: old }: ServiceObject): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName' || old.clusterIP === undefined) return;
  if (spec.clusterIP === undefined && spec.clusterIPs === undefined) {
    spec.clusterIP = old.clusterIP;
    if (old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
  }
}

const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
function serviceWarnings({ spec }: ServiceObject): string[] {
  const { externalIPs = [], externalName = '', trafficDistribution } = spec;
  const isHeadless = spec.clusterIP === 'None';
  const isName = spec.type === 'ExternalName';
  const given = externalIPs.length > 0;
  return [
    ...(isHeadless && given ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(isHeadless && spec.sessionAffinity !== 'None'
      ? ['spec.SessionAffinity is ignored for headless services']
      : []),
    ...(given && !isHeadless && !isName
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(given && isName ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isName && externalName !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

const strings = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
const specOf = ({ spec }: JsonObject): JsonObject => (isJsonObject(spec) ? spec : {});

function externalCell(service: JsonObject): string {
  const spec = specOf(service);
  const external = strings(spec['externalIPs']);
  if (spec['type'] === 'ExternalName') return String(spec['externalName'] ?? '');
  if (spec['type'] !== 'LoadBalancer') return external.length > 0 ? external.join(',') : '<none>';
  const all = [...balancerAddresses(service), ...external];
  return all.length > 0 ? all.join(',') : '<pending>';
}

function balancerAddresses({ status }: JsonObject): string[] {
  const balancer = isJsonObject(status) && isJsonObject(status['loadBalancer']) ? status['loadBalancer'] : {};
  const addresses = objects(balancer['ingress']).map(({ ip, hostname }) => String(ip ?? hostname ?? ''));
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}

const portText = ({ port, nodePort, protocol }: JsonObject): string =>
  nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`;
const portsCell = (service: JsonObject): string =>
  objects(specOf(service)['ports']).map(portText).join(',') || '<none>';

function selectorCell(service: JsonObject): string {
  const { selector } = specOf(service);
  if (!isJsonObject(selector)) return '<none>';
  return (
    Object.entries(selector)
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(',') || '<none>'
  );
}

export const defineServices = (ranges: ServiceRanges): ResourceDefinition =>
  defineKind({
    plural: 'services',
    kind: 'Service',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    storagePath: 'services/specs/',
    versions: [
      {
        group: '',
        version: 'v1',
        type: Service,
        fillIn,
        statusSubresource: true,
        subresources: [proxyOf('services', 'ServiceProxyOptions')],
        columns: [
          nameColumn,
          column('Type', 'How the service is exposed.', (service) => specOf(service)['type'] ?? ''),
          column(
            'Cluster-IP',
            'The address of the service.',
            (service) => strings(specOf(service)['clusterIPs'])[0] ?? '<none>',
          ),
          column('External-IP', 'The addresses outside the cluster.', externalCell),
          column('Port(s)', 'The ports of the service.', portsCell),
          ageColumn,
          wideColumn('Selector', 'The labels of the pods behind the service.', selectorCell),
        ],
        selectableFields: [
          { name: 'spec.clusterIP', value: (service) => String(specOf(service)['clusterIP'] ?? '') },
          { name: 'spec.type', value: (service) => String(specOf(service)['type'] ?? '') },
        ],
      },
    ],
    strategy: {
      prepareForCreate: (service, context) => prepareForCreate(service as ServiceObject, ranges, context),
      prepareForUpdate: (service, old, context) =>
        prepareForUpdate(service as ServiceObject, old as ServiceObject, ranges, context),
      validateName: nameIsDnsLabel,
      validateCreate: (service, context) =>
        validateAllocated(
          service as ServiceObject,
          validateService(service as ServiceObject),
          ranges,
          context,
        ),
      validateUpdate: (service, old, context) =>
        context.subresource === 'status'
          ? validateServiceStatus(service as ServiceObject)
          : validateAllocated(
              service as ServiceObject,
              validateServiceUpdate(service as ServiceObject, old as ServiceObject),
              ranges,
              context,
              old as ServiceObject,
            ),
      warnings: (service, _old, { subresource }) =>
        subresource === 'status' ? [] : serviceWarnings(service as ServiceObject),
      readsSiblings: true,
      statusMayWriteMetadata: true,
      allowCreateOnUpdate: true,
      returnDeletedObject: true,
    },
  });

/** The range of those who name none, which is kubeadm's. */
const DEFAULT_SERVICE_RANGES = parseServiceRanges(['10.96.0.0/12']) as ServiceRanges;

/** Services with addresses of the default range; defineServices makes those of other ranges. */
export const services = defineServices(DEFAULT_SERVICE_RANGES);
