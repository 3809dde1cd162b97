// The addresses of services: out of the ranges of the server, each service another one. Nothing listens
// there. An address is derived from the name of the service, and the next free one is taken.
import {
  type Cidr,
  cidrContainsAddress,
  type IpAddress,
  maskedCidr,
  parseCidr,
  parseIp,
  printCidr,
  printIp,
} from '@instar/go';
import { apiErrors, type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { isHeadless, type Service } from '../validate/service.ts';
import { hashOf } from './service-node-ports.ts';

type IpFamily = 'IPv4' | 'IPv6';

interface Range {
  readonly family: IpFamily;
  readonly cidr: Cidr;
  /** How many addresses can be given: not the network itself, in IPv4 not the last one either. */
  readonly size: number;
}

/** One, or one of each family. The first one is that of services that ask for none. */
export type ServiceRanges = readonly [Range, ...Range[]];

const MAX_HOST_BITS = 16;
const SPEC = FieldPath.of('spec');

/** The ranges, or why they are refused. */
export function parseServiceRanges(texts: readonly string[]): ServiceRanges | string {
  const ranges: Range[] = [];
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (typeof cidr === 'string') return `${text} is not a range of addresses`;
    const family: IpFamily = text.includes(':') ? 'IPv6' : 'IPv4';
    if (ranges.some((range) => range.family === family))
      return 'there must be at most one range of each family';
    const bits = (family === 'IPv4' ? 32 : 128) - cidr.prefixLength;
    const size = 2 ** Math.min(bits, family === 'IPv4' ? 20 : MAX_HOST_BITS) - (family === 'IPv4' ? 2 : 1);
    if (size < 1) return `${text} has no addresses to give`;
    ranges.push({ family, cidr: maskedCidr(cidr), size });
  }
  return ranges.length === 0 ? 'there must be a range' : (ranges as unknown as ServiceRanges);
}

const addressAt = ({ cidr, family }: Range, offset: number): string => {
  const base = parseIp(printIp(cidr.address)) as IpAddress;
  return family === 'IPv4' ? ipv4Plus(printIp(base), offset) : ipv6Plus(printIp(base), offset);
};

function ipv4Plus(base: string, offset: number): string {
  const number = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + offset;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** Ranges end with zeros: the offset is the last group. */
function ipv6Plus(base: string, offset: number): string {
  const prefix = base.endsWith('::') ? base : `${base.slice(0, base.lastIndexOf(':') + 1)}`;
  return printIp(parseIp(`${prefix}${offset.toString(16)}`) as IpAddress);
}

export const printServiceRanges = (ranges: ServiceRanges): string[] =>
  ranges.map(({ cidr }) => printCidr(cidr));

/** The first address of the first range is that of the API server itself. */
export const firstServiceIp = ([range]: ServiceRanges): string => addressAt(range, 1);

/** Whether another service has the address. */
function isTaken(ip: string, { metadata }: Service, { resource }: WriteContext): boolean {
  const quoted = Buffer.from(`"${ip}"`);
  for (const sibling of resource?.cache.values() ?? []) {
    if (!sibling.mentions(quoted)) continue;
    const other = sibling.parse() as Service;
    if (other.metadata.namespace === metadata.namespace && other.metadata.name === metadata.name) continue;
    if (other.spec.clusterIPs?.includes(ip)) return true;
  }
  return false;
}

function freeAddress(range: Range, service: Service, context: WriteContext): string {
  const { namespace, name } = service.metadata;
  const start = hashOf(`${namespace}/${name}`) % range.size;
  for (let step = 0; step < range.size; step++) {
    const ip = addressAt(range, 1 + ((start + step) % range.size));
    if (!isTaken(ip, service, context)) return ip;
  }
  throw apiErrors.raw({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: failed to allocate a serviceIP: range is full',
  });
}

/** Fills in the families of a service and their policy, and gives an address of each. */
export function giveClusterIps(service: Service, ranges: ServiceRanges, context: WriteContext): void {
  const { spec } = service;
  if (spec.clusterIP && spec.clusterIPs === undefined) spec.clusterIPs = [spec.clusterIP];
  if (spec.type === 'ExternalName') return;
  fillInFamilies(service, ranges);
  if (isHeadless(spec)) {
    spec.clusterIPs ??= ['None'];
    return;
  }
  const ips = [...(spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []))];
  for (const family of (spec.ipFamilies ?? []).slice(ips.length)) {
    const range = ranges.find((one) => one.family === family);
    if (range !== undefined) ips.push(freeAddress(range, service, context));
  }
  if (ips.length === 0) return;
  spec.clusterIP ??= ips[0]!;
  spec.clusterIPs = ips;
}

const familyOf = (ip: string): IpFamily => (ip.includes(':') ? 'IPv6' : 'IPv4');

function fillInFamilies({ spec }: Service, ranges: ServiceRanges): void {
  const given = (spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])).filter((ip) => ip !== 'None');
  const families = [...(spec.ipFamilies ?? [])];
  for (const ip of given.slice(families.length)) families.push(familyOf(ip));
  // A headless service without a selector may have endpoints of either family.
  const anyFamily = isHeadless(spec) && spec.selector === undefined;
  if (spec.ipFamilyPolicy === undefined)
    spec.ipFamilyPolicy =
      anyFamily && families.length === 0
        ? 'RequireDualStack'
        : families.length > 1
          ? 'RequireDualStack'
          : 'SingleStack';
  if (families.length === 0) families.push(ranges[0].family);
  const wantsBoth = spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1;
  if (wantsBoth && (ranges.length > 1 || anyFamily)) families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec.ipFamilies = families;
}

/** What only the ranges of the server can say. */
export function validateClusterIpsFree(
  service: Service,
  ranges: ServiceRanges,
  context: WriteContext,
  old?: Service,
): FieldError[] {
  const { spec } = service;
  if (spec.type === 'ExternalName' || isHeadless(spec)) return [];
  const had = new Set(old?.spec.type === 'ExternalName' ? [] : (old?.spec.clusterIPs ?? []));
  const ips = spec.clusterIPs ?? [];
  for (const ip of ips) {
    if (had.has(ip)) continue;
    const fault = faultOf(ip, ranges, service, context);
    if (fault !== undefined)
      return [
        fieldErrors.invalid(SPEC.child('clusterIPs'), [...ips], `failed to allocate IP ${ip}: ${fault}`),
      ];
  }
  return [];
}

function faultOf(
  ip: string,
  ranges: ServiceRanges,
  service: Service,
  context: WriteContext,
): string | undefined {
  const range = ranges.find(({ family }) => family === familyOf(ip));
  const address = parseIp(ip);
  if (range === undefined || typeof address === 'string') return undefined;
  if (!cidrContainsAddress(range.cidr, address))
    return 'the provided network does not match the current range';
  return isTaken(ip, service, context) ? 'provided IP is already allocated' : undefined;
}

/** Families that the server has no range of. A headless service needs none. */
export function validateFamilies({ spec }: Service, ranges: ServiceRanges): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const anyFamily = isHeadless(spec) && spec.selector === undefined;
  if (anyFamily) return [];
  const errors = (spec.ipFamilies ?? []).flatMap((family, index) =>
    (family === 'IPv4' || family === 'IPv6') && !ranges.some((range) => range.family === family)
      ? [fieldErrors.invalid(SPEC.child('ipFamilies').index(index), family, 'not configured on this cluster')]
      : [],
  );
  if (spec.ipFamilyPolicy === 'RequireDualStack' && ranges.length < 2)
    errors.unshift(
      fieldErrors.invalid(
        SPEC.child('ipFamilyPolicy'),
        spec.ipFamilyPolicy,
        'this cluster is not configured for dual-stack services',
      ),
    );
  return errors;
}
