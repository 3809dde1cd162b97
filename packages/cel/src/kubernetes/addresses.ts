/**
 * Addresses and networks as CEL's ip() and cidr() accept them: Go's netip grammar, without zones and
 * IPv4-mapped IPv6 addresses, which Kubernetes refuses because two notations of one address have been used to
 * bypass checks.
 */
import { type Cidr, type IpAddress, isIpv4Mapped, parseCidr, parseIp, quoteGo } from '@instar/go';

/** The address, or the text of the error. */
export function readIp(text: string): IpAddress | string {
  const address = parseIp(text);
  if (typeof address === 'string')
    return `IP Address ${quoteGo(text)} parse error during conversion from string: ${address}`;
  if (address.zone !== '') return `IP address ${quoteGo(text)} with zone value is not allowed`;
  if (isIpv4Mapped(address)) return `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`;
  return { family: address.family, value: address.value };
}

/** The network, or the text of the error. */
export function readCidr(text: string): Cidr | string {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string') return `network address parse error during conversion from string: ${cidr}`;
  return isIpv4Mapped(cidr.address) ? `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed` : cidr;
}
