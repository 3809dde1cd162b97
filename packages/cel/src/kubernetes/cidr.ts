/**
 * Networks in CIDR notation, as CEL's cidr() takes them. Bits beyond the prefix may be set: `masked` clears
 * them.
 */
import { quoteGo } from '@instar/go';
import { type IpAddress, ipAddressText, isIpv4Mapped, parseAnyAddress } from './ip-address.ts';

export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/** The network, or the text of the error. */
export function parseCidr(text: string): Cidr | string {
  const prefix = readPrefix(text);
  if (typeof prefix === 'string') {
    return `network address parse error during conversion from string: netip.ParsePrefix(${quoteGo(text)}): ${prefix}`;
  }
  return isIpv4Mapped(prefix.address) ? `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed` : prefix;
}

function readPrefix(text: string): Cidr | string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const parsed = parseAnyAddress(text.slice(0, slash));
  if (typeof parsed === 'string') return parsed;
  if (parsed.zone !== '') return 'IPv6 zones cannot be present in a prefix';
  const bits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{1,17})$/.test(bits)) return `bad bits after slash: ${quoteGo(bits)}`;
  const address: IpAddress = { family: parsed.family, value: parsed.value };
  return Number(bits) > addressBits(address)
    ? 'prefix length out of range'
    : { address, prefixLength: Number(bits) };
}

function addressBits(address: IpAddress): number {
  return address.family === 4 ? 32 : 128;
}

export function cidrText({ address, prefixLength }: Cidr): string {
  return `${ipAddressText(address)}/${prefixLength}`;
}

export function maskedCidr({ address, prefixLength }: Cidr): Cidr {
  const low = BigInt(addressBits(address) - prefixLength);
  return { address: { family: address.family, value: (address.value >> low) << low }, prefixLength };
}

export function cidrContainsAddress(cidr: Cidr, address: IpAddress): boolean {
  return cidr.address.family === address.family && samePrefix(cidr.address, address, cidr.prefixLength);
}

export function cidrContainsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && cidrContainsAddress(outer, inner.address);
}

function samePrefix(a: IpAddress, b: IpAddress, length: number): boolean {
  const low = BigInt(addressBits(a) - length);
  return a.value >> low === b.value >> low;
}
