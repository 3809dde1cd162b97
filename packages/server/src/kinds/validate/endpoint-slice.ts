// EndpointSlices: types and numbers of addresses, names of ports, hints.
import { isIPv4 } from 'node:net';
import {
  nameIsDnsSubdomain,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
} from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonValue,
  type KubeObject,
  validateLabels,
} from '@instar/machinery';
import { validateAppProtocol, validateIp, validateProtocol, validateReachableIp } from './address.ts';

interface Endpoint {
  addresses?: string[] | null;
  hostname?: string;
  nodeName?: string;
  deprecatedTopology?: Record<string, string>;
  hints?: { forZones?: { name: string }[]; forNodes?: { name: string }[] };
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: { name: string; protocol?: string; appProtocol?: string }[] | null;
}

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20000;
const MAX_TOPOLOGY = 16;
const MAX_HINTS = 8;

export function validateEndpointSlice(slice: EndpointSlice, old?: EndpointSlice): FieldError[] {
  const unchanged = old !== undefined && deepEqual(slice.endpoints as JsonValue, old.endpoints as JsonValue);
  return [
    ...validateAddressType(slice.addressType),
    ...validatePorts(slice.ports ?? []),
    ...(unchanged ? [] : validateEndpoints(slice.endpoints ?? [], slice.addressType)),
  ];
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice): FieldError[] {
  const errors = validateEndpointSlice(slice, old);
  if (slice.addressType !== old.addressType)
    errors.push(fieldErrors.invalid('addressType', slice.addressType, 'field is immutable'));
  return errors;
}

function validateAddressType(type: string): FieldError[] {
  if (type === '') return [fieldErrors.required('addressType')];
  return ADDRESS_TYPES.includes(type) ? [] : [fieldErrors.notSupported('addressType', type, ADDRESS_TYPES)];
}

function validatePorts(ports: NonNullable<EndpointSlice['ports']>): FieldError[] {
  const all = FieldPath.of('ports');
  if (ports.length > MAX_PORTS) return [fieldErrors.tooMany(all, ports.length, MAX_PORTS)];
  const names = new Set<string>();
  return ports.flatMap(({ name, protocol = '', appProtocol }, index) => {
    const path = all.index(index);
    const errors =
      name === ''
        ? []
        : validateDns1123Label(name).map((reason) => fieldErrors.invalid(path.child('name'), name, reason));
    if (names.has(name)) errors.push(fieldErrors.duplicate(path.child('name'), name));
    names.add(name);
    return [
      ...errors,
      ...validateProtocol(protocol, path.child('protocol')),
      ...validateAppProtocol(appProtocol, path.child('appProtocol')),
    ];
  });
}

function validateEndpoints(endpoints: readonly Endpoint[], type: string): FieldError[] {
  const all = FieldPath.of('endpoints');
  if (endpoints.length > MAX_ENDPOINTS) return [fieldErrors.tooMany(all, endpoints.length, MAX_ENDPOINTS)];
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, type, all.index(index)));
}

function validateEndpoint(endpoint: Endpoint, type: string, path: FieldPath): FieldError[] {
  const { hostname, nodeName, deprecatedTopology = {}, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const errors: FieldError[] = [];
  const at = path.child('addresses');
  if (addresses.length === 0) errors.push(fieldErrors.required(at, 'must contain at least 1 address'));
  else if (addresses.length > MAX_ADDRESSES)
    errors.push(fieldErrors.tooMany(at, addresses.length, MAX_ADDRESSES));
  addresses.forEach((address, index) => {
    errors.push(...validateAddress(address, type, at, index));
  });
  if (nodeName !== undefined) {
    errors.push(
      ...nameIsDnsSubdomain(nodeName, false).map((reason) =>
        fieldErrors.invalid(path.child('nodeName'), nodeName, reason),
      ),
    );
  }
  const topology = Object.keys(deprecatedTopology).length;
  if (topology > MAX_TOPOLOGY)
    errors.push(fieldErrors.tooMany(path.child('deprecatedTopology'), topology, MAX_TOPOLOGY));
  errors.push(...validateLabels(deprecatedTopology, path.child('deprecatedTopology')));
  if (hostname !== undefined) {
    errors.push(
      ...validateDns1123Label(hostname).map((reason) =>
        fieldErrors.invalid(path.child('hostname'), hostname, reason),
      ),
    );
  }
  return [...errors, ...validateHints(hints, path.child('hints'))];
}

function validateAddress(address: string, type: string, all: FieldPath, index: number): FieldError[] {
  const path = all.index(index);
  if (type === 'FQDN') return validateDomain(address, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = validateIp(address, path);
  if (errors.length > 0) return errors;
  if (isIPv4(address) !== (type === 'IPv4'))
    errors.push(fieldErrors.invalid(all, address, `must be an ${type} address`));
  return [...errors, ...validateReachableIp(address, path)];
}

function validateDomain(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [fieldErrors.required(path)];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const reasons = validateDns1123Subdomain(name);
  if (reasons.length > 0) return [fieldErrors.invalid(path, name, reasons.join(','))];
  const labels = name.split('.');
  if (labels.length < 2)
    return [
      fieldErrors.invalid(path, name, 'should be a domain with at least two segments separated by dots'),
    ];
  const bad = labels.find((label) => validateDns1123Label(label).length > 0);
  return bad === undefined ? [] : [fieldErrors.invalid(path, bad, validateDns1123Label(bad).join(','))];
}

function validateHints(hints: Endpoint['hints'], path: FieldPath): FieldError[] {
  const { forZones = [], forNodes = [] } = hints ?? {};
  if (forZones.length > MAX_HINTS)
    return [fieldErrors.tooMany(path.child('forZones'), forZones.length, MAX_HINTS)];
  const errors = validateNames(forZones, path.child('forZones'), validateLabelValue);
  if (forNodes.length > MAX_HINTS)
    return [...errors, fieldErrors.tooMany(path.child('forNodes'), forNodes.length, MAX_HINTS)];
  return [
    ...errors,
    ...validateNames(forNodes, path.child('forNodes'), (name) => nameIsDnsSubdomain(name, false)),
  ];
}

function validateNames(
  items: readonly { name: string }[],
  all: FieldPath,
  form: (name: string) => string[],
): FieldError[] {
  const names = new Set<string>();
  return items.flatMap(({ name }, index) => {
    const path = all.index(index).child('name');
    const errors = names.has(name) ? [fieldErrors.duplicate(path, name)] : [];
    names.add(name);
    return [...errors, ...form(name).map((reason) => fieldErrors.invalid(path, name, reason))];
  });
}
