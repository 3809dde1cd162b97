// Networks in CIDR notation, like Go's netip.Prefix. Bits beyond the prefix may be set: `maskedCidr` clears
// them.
import { type IpAddress, ipFamilyOf, parseIp, printIp } from './ip.ts';
import { quoteGo } from './quote.ts';

/** An address and the length of its prefix, as `10.0.0.0/8` has them. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/** Go's netip.ParsePrefix: the network, or the text of Go's error. */
export function parseCidr(text: string): Cidr | string {
  const prefix = readPrefix(text);
  return typeof prefix === 'string' ? `netip.ParsePrefix(${quoteGo(text)}): ${prefix}` : prefix;
}

function readPrefix(text: string): Cidr | string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const parsed = parseIp(text.slice(0, slash));
  if (typeof parsed === 'string') return parsed;
  if (parsed.zone !== '') return 'IPv6 zones cannot be present in a prefix';
  const bits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{1,17})$/.test(bits)) return `bad bits after slash: ${quoteGo(bits)}`;
  const address: IpAddress = { family: parsed.family, value: parsed.value };
  return Number(bits) > addressBits(address)
    ? 'prefix length out of range'
    : { address, prefixLength: Number(bits) };
}

/** Whether ParseCIDRSloppy of k8s.io/utils/net accepts it, which tolerates leading zeros. */
export function isSloppyCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const family = ipFamilyOf(text.slice(0, slash), 'sloppy');
  const bits = text.slice(slash + 1);
  return family !== undefined && /^0*[0-9]{1,7}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

function addressBits(address: IpAddress): number {
  return address.family === 4 ? 32 : 128;
}

/** The network as it was written, its address in canonical form. */
export function printCidr({ address, prefixLength }: Cidr): string {
  return `${printIp(address)}/${prefixLength}`;
}

/** The network with the bits beyond its prefix cleared. */
export function maskedCidr({ address, prefixLength }: Cidr): Cidr {
  const low = BigInt(addressBits(address) - prefixLength);
  return { address: { family: address.family, value: (address.value >> low) << low }, prefixLength };
}

/** Whether the address is in the network. */
export function cidrContainsAddress(cidr: Cidr, address: IpAddress): boolean {
  return cidr.address.family === address.family && samePrefix(cidr.address, address, cidr.prefixLength);
}

/** Whether the inner network is entirely in the outer. */
export function cidrContainsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && cidrContainsAddress(outer, inner.address);
}

function samePrefix(a: IpAddress, b: IpAddress, length: number): boolean {
  const low = BigInt(addressBits(a) - length);
  return a.value >> low === b.value >> low;
}
