import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';

const ALWAYS = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
];

/** The names and addresses that the serving certificate is for. */
export function servingHosts(bindAddress: string, isEphemeral: boolean): string[] {
  const wildcard = bindAddress === '0.0.0.0' || bindAddress === '::';
  const name = hostname();
  // A host name that is not a DNS name cannot be in a certificate.
  const own = !isEphemeral && /^[A-Za-z0-9.-]+$/.test(name) ? [name] : [];
  return [...new Set([...ALWAYS, ...own, ...(wildcard ? [] : [bindAddress])])];
}

/** The address at which this machine can reach the server. */
export function reachableAddress(bindAddress: string): string {
  if (bindAddress === '0.0.0.0') return '127.0.0.1';
  return bindAddress === '::' ? '::1' : bindAddress;
}

/** An address as URLs spell it: IPv6 in brackets. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/**
 * Whether this is an IP address rather than a name. Uses the URL parser for IPv6: the first isIPv6 of
 * node:net compiles a regular expression, which takes longer than all other work on certificates at startup.
 */
export const isAddress = (host: string): boolean =>
  isIPv4(host) || (/^[\da-f:.]+$/i.test(host) && URL.canParse(`http://[${host}]`));
