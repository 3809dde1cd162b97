// IP addresses as Go's net/netip parses and prints them, and their classification.
import { type AddressGrammar, AddressSyntaxError, readIpv4Fields, readIpv6 } from './ip-syntax.ts';
import { quoteGo } from './quote.ts';

/** An address without a zone. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** An address with its zone, which is empty for most. */
export interface ZonedAddress extends IpAddress {
  readonly zone: string;
}

/** Go's netip.ParseAddr: the address, or the text of Go's error. */
export function parseIp(text: string): ZonedAddress | string {
  try {
    const { fields, zone } = readAddress(text, 'strict');
    return fields.length === 4
      ? { family: 4, value: joined(fields, 8n), zone }
      : { family: 6, value: joined(fields, 16n), zone };
  } catch (error) {
    if (!(error instanceof AddressSyntaxError)) throw error;
    const location = error.at === undefined || error.at === '' ? '' : ` (at ${quoteGo(error.at)})`;
    return `ParseAddr(${quoteGo(text)}): ${error.message}${location}`;
  }
}

/** 4 or 6 for an address without a zone, undefined for anything else. */
export function ipFamilyOf(text: string, grammar: AddressGrammar = 'strict'): 4 | 6 | undefined {
  try {
    const { fields, zone } = readAddress(text, grammar);
    return zone !== '' ? undefined : fields.length === 4 ? 4 : 6;
  } catch (error) {
    if (error instanceof AddressSyntaxError) return undefined;
    throw error;
  }
}

function readAddress(
  text: string,
  grammar: AddressGrammar,
): { readonly fields: number[]; readonly zone: string } {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { fields: readIpv4Fields(text, grammar), zone: '' };
  if (first === ':') return readIpv6(text, grammar);
  throw new AddressSyntaxError(first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function joined(fields: readonly number[], width: bigint): bigint {
  return fields.reduce((value, field) => (value << width) | BigInt(field), 0n);
}

/** Whether it is an IPv4-mapped IPv6 address: ::ffff:0:0/96. */
export function isIpv4Mapped(address: IpAddress): boolean {
  return address.family === 6 && address.value >> 32n === 0xffffn;
}

/** The address in its canonical form. */
export function printIp({ family, value }: IpAddress): string {
  return family === 4 ? groups(value, 4, 8n).join('.') : ipv6Text(groups(value, 8, 16n));
}

function groups(value: bigint, count: number, width: bigint): number[] {
  return Array.from({ length: count }, (_, index) =>
    Number(BigInt.asUintN(Number(width), value >> (width * BigInt(count - 1 - index)))),
  );
}

function ipv6Text(fields: number[]): string {
  const run = longestZeroRun(fields);
  const hex = (part: number[]) => part.map((field) => field.toString(16)).join(':');
  return run === undefined
    ? hex(fields)
    : `${hex(fields.slice(0, run.start))}::${hex(fields.slice(run.end))}`;
}

function longestZeroRun(fields: number[]): { start: number; end: number } | undefined {
  let longest: { start: number; end: number } | undefined;
  for (let start = 0; start < fields.length; start++) {
    let end = start;
    while (fields[end] === 0) end++;
    if (end - start >= 2 && end - start > (longest === undefined ? 0 : longest.end - longest.start))
      longest = { start, end };
  }
  return longest;
}

// Classification as by net.IP of Go: an IPv4-mapped address is classified as its IPv4 address.

/** The IPv4 address of an IPv4-mapped one, otherwise the address itself. */
function unmapped(address: IpAddress): IpAddress {
  return isIpv4Mapped(address) ? { family: 4, value: address.value & 0xffffffffn } : address;
}

/** 0.0.0.0 or ::. */
export function isUnspecified(address: IpAddress): boolean {
  return unmapped(address).value === 0n;
}

/** 127.0.0.0/8 or ::1. */
export function isLoopback(address: IpAddress): boolean {
  const { family, value } = unmapped(address);
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

/** 169.254.0.0/16 or fe80::/10. */
export function isLinkLocalUnicast(address: IpAddress): boolean {
  const { family, value } = unmapped(address);
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

/** 224.0.0.0/24, or ff02::/16 with any flags. */
export function isLinkLocalMulticast(address: IpAddress): boolean {
  const { family, value } = unmapped(address);
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

function isMulticast(address: IpAddress): boolean {
  const { family, value } = unmapped(address);
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

/** None of the classes above, nor multicast or broadcast. Private addresses count, as in Go. */
export function isGlobalUnicast(address: IpAddress): boolean {
  const { family, value } = unmapped(address);
  const broadcast = family === 4 && value === 0xffffffffn;
  return (
    !broadcast &&
    !isUnspecified(address) &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address)
  );
}
