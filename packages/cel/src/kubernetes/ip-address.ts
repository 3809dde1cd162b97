/**
 * IP addresses as CEL's ip() takes them: Go's netip grammar, minus zones and IPv4-mapped IPv6 addresses,
 * which Kubernetes refuses because two spellings of one address have been used to get past checks.
 */
import { quoteGo } from '@instar/go';
import { AddressSyntaxError, readIpv4Fields, readIpv6 } from './ip-syntax.ts';

export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** An address, with the zone that only the caller can refuse. */
export interface ParsedAddress extends IpAddress {
  readonly zone: string;
}

/** Any address, or the text of Go's error. */
export function parseAnyAddress(text: string): ParsedAddress | string {
  try {
    return readAddress(text);
  } catch (error) {
    if (!(error instanceof AddressSyntaxError)) throw error;
    const place = error.at === undefined || error.at === '' ? '' : ` (at ${quoteGo(error.at)})`;
    return `ParseAddr(${quoteGo(text)}): ${error.message}${place}`;
  }
}

function readAddress(text: string): ParsedAddress {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { family: 4, value: readIpv4Fields(text), zone: '' };
  if (first === ':') return { family: 6, ...readIpv6(text) };
  throw new AddressSyntaxError(first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

/** An address without zone and not IPv4-mapped, or the text of the error. */
export function parseIpAddress(text: string): IpAddress | string {
  const address = parseAnyAddress(text);
  if (typeof address === 'string')
    return `IP Address ${quoteGo(text)} parse error during conversion from string: ${address}`;
  if (address.zone !== '') return `IP address ${quoteGo(text)} with zone value is not allowed`;
  if (isIpv4Mapped(address)) return `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`;
  return { family: address.family, value: address.value };
}

export function isIpv4Mapped(address: IpAddress): boolean {
  return address.family === 6 && address.value >> 32n === 0xffffn;
}

export function ipAddressText({ family, value }: IpAddress): string {
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

export function isUnspecified({ value }: IpAddress): boolean {
  return value === 0n;
}

export function isLoopback({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

export function isLinkLocalUnicast({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

export function isLinkLocalMulticast({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

export function isMulticast({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

/** Private addresses count as global here, as they do in Go. */
export function isGlobalUnicast(address: IpAddress): boolean {
  const broadcast = address.family === 4 && address.value === 0xffffffffn;
  return (
    !broadcast &&
    !isUnspecified(address) &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address)
  );
}
