import { describe, expect, it } from 'vitest';
import {
  cidrContainsAddress,
  cidrContainsCidr,
  isSloppyCidr,
  maskedCidr,
  parseCidr,
  printCidr,
} from './cidr.ts';
import { type IpAddress, parseIp } from './ip.ts';

function ip(text: string): IpAddress {
  const parsed = parseIp(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

function cidr(text: string) {
  const parsed = parseCidr(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('cidr', () => {
  it('masks and prints a network', () => {
    const network = cidr('10.1.2.3/8');
    expect(printCidr(network)).toBe('10.1.2.3/8');
    expect(printCidr(maskedCidr(network))).toBe('10.0.0.0/8');
    expect(printCidr(maskedCidr(cidr('2001:db8:ffff::1/33')))).toBe('2001:db8:8000::/33');
  });

  it('contains addresses and networks of its own family', () => {
    const ten = cidr('10.1.2.3/8');
    expect(cidrContainsAddress(ten, ip('10.255.0.1'))).toBe(true);
    expect(cidrContainsAddress(ten, ip('11.0.0.1'))).toBe(false);
    expect(cidrContainsAddress(cidr('::/0'), ip('10.0.0.1'))).toBe(false);
    expect(cidrContainsCidr(ten, cidr('10.7.0.0/16'))).toBe(true);
    expect(cidrContainsCidr(ten, cidr('10.0.0.0/7'))).toBe(false);
    expect(cidrContainsCidr(ten, ten)).toBe(true);
    expect(cidrContainsCidr(cidr('0.0.0.0/0'), cidr('::/0'))).toBe(false);
  });

  it('reports errors in the words of Go', () => {
    const error = (text: string) => parseCidr(text);
    const prefix = 'netip.ParsePrefix';
    expect(error('10.0.0.0')).toBe(`${prefix}("10.0.0.0"): no '/'`);
    expect(error('10.0.0.0/33')).toBe(`${prefix}("10.0.0.0/33"): prefix length out of range`);
    expect(error('10.0.0.0/08')).toBe(`${prefix}("10.0.0.0/08"): bad bits after slash: "08"`);
    expect(error('10.0.0.0/')).toBe(`${prefix}("10.0.0.0/"): bad bits after slash: ""`);
    expect(error('10.0.0/8')).toBe(`${prefix}("10.0.0/8"): ParseAddr("10.0.0"): IPv4 address too short`);
    expect(error('fe80::1%a/64')).toBe(`${prefix}("fe80::1%a/64"): IPv6 zones cannot be present in a prefix`);
  });
});

describe('isSloppyCidr', () => {
  it.each([
    ['10.0.0.0/8', true],
    ['010.0.0.0/08', true],
    ['2001:db8::/64', true],
    ['10.0.0.0', false],
    ['10.0.0.0/33', false],
    ['::/129', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/-1', false],
    ['fe80::1%a/64', false],
  ])('%j: %s', (text, valid) => {
    expect(isSloppyCidr(text)).toBe(valid);
  });
});
