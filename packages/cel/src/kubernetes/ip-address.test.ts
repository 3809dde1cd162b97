import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidrContainsAddress, cidrContainsCidr, cidrText, maskedCidr, parseCidr } from './cidr.ts';
import {
  type IpAddress,
  ipAddressText,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIpAddress,
} from './ip-address.ts';

function ip(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

function cidr(text: string) {
  const parsed = parseCidr(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

const why = (text: string): string => {
  const parsed = parseIpAddress(text);
  return typeof parsed === 'string'
    ? parsed.replace(/^IP Address ".*" parse error during conversion from string: ParseAddr\(".*?"\): /, '')
    : 'valid';
};

describe('parseIpAddress', () => {
  it('writes addresses in their canonical form', () => {
    for (const [text, canonical] of [
      ['10.0.0.1', '10.0.0.1'],
      ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['::', '::'],
      ['1::', '1::'],
      ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
      ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
      ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
      ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ] as const) {
      expect(ipAddressText(ip(text)), text).toBe(canonical);
    }
  });

  it('says what is wrong, in the words of Go', () => {
    expect(parseIpAddress('x')).toBe(
      'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP',
    );
    for (const [text, error] of [
      ['10.0.0.256', 'IPv4 field has value >255'],
      ['010.0.0.1', 'IPv4 field has octet with leading zero'],
      ['1.2.3', 'IPv4 address too short'],
      ['1.2.3.4.5', 'IPv4 address too long'],
      ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
      ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
      ['1.2.3.4/8', 'unexpected character (at "/8")'],
      ['%eth0', 'missing IPv6 address'],
      ['::1%', 'zone must be a non-empty string'],
      ['1:2', 'address string too short'],
      ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
      ['1::2::3', 'multiple :: in address (at ":3")'],
      ['12345::', 'each group must have 4 or less digits (at "12345::")'],
      ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
      [':1', 'each colon-separated field must have at least one digit (at ":1")'],
      ['1:', 'colon must be followed by more characters (at ":")'],
      ['1:x', 'each colon-separated field must have at least one digit (at "x")'],
      ['1:2.3.4.5', 'embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")'],
    ] as const) {
      expect(why(text), text).toBe(error);
    }
    expect(why('1:1x::')).toBe('unexpected character, want colon (at "x::")');
  });

  it('refuses zones and IPv4 in IPv6', () => {
    expect(parseIpAddress('fe80::1%eth0')).toBe('IP address "fe80::1%eth0" with zone value is not allowed');
    expect(parseIpAddress('::ffff:1.2.3.4')).toBe('IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed');
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (value) => {
        const address: IpAddress = { family: 6, value };
        const again = parseIpAddress(ipAddressText(address));
        if (value >> 32n !== 0xffffn) expect(again).toEqual(address);
      }),
    );
  });
});

describe('kinds of addresses', () => {
  it.each([
    ['0.0.0.0', isUnspecified],
    ['::', isUnspecified],
    ['127.255.0.1', isLoopback],
    ['::1', isLoopback],
    ['169.254.1.1', isLinkLocalUnicast],
    ['febf::1', isLinkLocalUnicast],
    ['224.0.0.251', isLinkLocalMulticast],
    ['ff02::1', isLinkLocalMulticast],
    ['ff12::1', isLinkLocalMulticast],
    ['10.0.0.1', isGlobalUnicast],
    ['fd00::1', isGlobalUnicast],
  ] as const)('%s', (text, kind) => {
    expect(kind(ip(text))).toBe(true);
    if (kind !== isGlobalUnicast) expect(isGlobalUnicast(ip(text))).toBe(false);
  });

  it('tells near misses apart', () => {
    expect(isGlobalUnicast(ip('255.255.255.255'))).toBe(false);
    expect(isGlobalUnicast(ip('239.1.1.1'))).toBe(false);
    expect(isLinkLocalUnicast(ip('fec0::1'))).toBe(false);
    expect(isLinkLocalMulticast(ip('224.0.1.1'))).toBe(false);
    expect(isLoopback(ip('::2'))).toBe(false);
  });
});

describe('cidr', () => {
  it('keeps, masks and writes a network', () => {
    const network = cidr('10.1.2.3/8');
    expect(cidrText(network)).toBe('10.1.2.3/8');
    expect(cidrText(maskedCidr(network))).toBe('10.0.0.0/8');
    expect(cidrText(maskedCidr(cidr('2001:db8:ffff::1/33')))).toBe('2001:db8:8000::/33');
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

  it('says what is wrong', () => {
    const error = (text: string) => parseCidr(text);
    const prefix = 'network address parse error during conversion from string: netip.ParsePrefix';
    expect(error('10.0.0.0')).toBe(`${prefix}("10.0.0.0"): no '/'`);
    expect(error('10.0.0.0/33')).toBe(`${prefix}("10.0.0.0/33"): prefix length out of range`);
    expect(error('10.0.0.0/08')).toBe(`${prefix}("10.0.0.0/08"): bad bits after slash: "08"`);
    expect(error('10.0.0.0/')).toBe(`${prefix}("10.0.0.0/"): bad bits after slash: ""`);
    expect(error('10.0.0/8')).toBe(`${prefix}("10.0.0/8"): ParseAddr("10.0.0"): IPv4 address too short`);
    expect(error('fe80::1%a/64')).toBe(`${prefix}("fe80::1%a/64"): IPv6 zones cannot be present in a prefix`);
    expect(error('::ffff:1.2.3.4/120')).toBe('IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed');
  });
});
