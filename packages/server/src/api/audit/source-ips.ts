// The addresses that a request came through: those that proxies claim, then the one that is connected.
import { isIpv4Mapped, parseIp, printIp } from '@instar/go';
import type { ApiRequest } from '../../wire/exchange.ts';

type Origin = Pick<ApiRequest, 'headers' | 'remoteAddress'>;

export function sourceIps({ headers, remoteAddress }: Origin): string[] {
  const forwarded = headers['x-forwarded-for'];
  const real = headers['x-real-ip'];
  const remote = withoutMapping(remoteAddress);
  if (forwarded === undefined && real === undefined) return remote === '' ? [] : [remote];
  const ips = firstOf(forwarded).split(',').flatMap(printed);
  for (const ip of printed(firstOf(real))) if (!ips.includes(ip)) ips.push(ip);
  if (remote !== '' && ips.at(-1) !== remote) ips.push(remote);
  return ips;
}

const firstOf = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? header[0] : header) ?? '';

function printed(text: string): string[] {
  const ip = parseIp(text.trim());
  if (typeof ip === 'string' || ip.zone !== '') return [];
  return [printIp(isIpv4Mapped(ip) ? { family: 4, value: ip.value & 0xffffffffn } : ip)];
}

/** A socket for both families shows IPv4 addresses like this. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');
