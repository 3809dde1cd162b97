import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IpAddress,
  ipFamilyOf,
  isGlobalUnicast,
  isIpv4Mapped,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  printIp,
} from './ip.ts';

function ip(text: string): IpAddress {
  const parsed = parseIp(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

const why = (text: string): string => {
  const parsed = parseIp(text);
  return typeof parsed === 'string' ? parsed.replace(/^ParseAddr\(".*?"\): /, '') : 'valid';
};

describe('parseIp', () => {
  it('prints addresses in their canonical form', () => {
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
      expect(printIp(ip(text)), text).toBe(canonical);
    }
  });

  it('reports errors in the words of Go', () => {
    expect(parseIp('x')).toBe('ParseAddr("x"): unable to parse IP');
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

  it('accepts a zone and IPv4 in IPv6', () => {
    expect(parseIp('fe80::1%eth0')).toMatchObject({ family: 6, zone: 'eth0' });
    expect(isIpv4Mapped(ip('::ffff:1.2.3.4'))).toBe(true);
    expect(isIpv4Mapped(ip('::1.2.3.4'))).toBe(false);
  });

  it('parses what it prints', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (value) => {
        const address: IpAddress = { family: 6, value };
        const again = parseIp(printIp(address));
        if (value >> 32n !== 0xffffn) expect(again).toEqual({ ...address, zone: '' });
      }),
    );
  });
});

describe('classes of addresses', () => {
  it.each([
    ['0.0.0.0', isUnspecified],
    ['::', isUnspecified],
    ['127.255.0.1', isLoopback],
    ['::1', isLoopback],
    ['::ffff:127.0.0.1', isLoopback],
    ['::ffff:0.0.0.0', isUnspecified],
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

  it('distinguishes addresses just outside a class', () => {
    expect(isGlobalUnicast(ip('255.255.255.255'))).toBe(false);
    expect(isGlobalUnicast(ip('239.1.1.1'))).toBe(false);
    expect(isLinkLocalUnicast(ip('fec0::1'))).toBe(false);
    expect(isLinkLocalMulticast(ip('224.0.1.1'))).toBe(false);
    expect(isLoopback(ip('::2'))).toBe(false);
  });
});

describe('ipFamilyOf', () => {
  // Go 1.26 and ParseIPSloppy of k8s.io/utils.
  it.each([
    ['10.0.0.1', 4, 4],
    ['010.000.0.001', undefined, 4],
    ['256.0.0.1', undefined, undefined],
    ['1.2.3', undefined, undefined],
    ['::1', 6, 6],
    ['::ffff:1.2.3.4', 6, 6],
    ['::ffff:01.2.3.4', undefined, 6],
    ['00001::', undefined, 6],
    ['100000::', undefined, undefined],
    ['fe80::1%eth0', undefined, undefined],
    ['', undefined, undefined],
  ])('%j: %s, and sloppily %s', (text, strict, sloppy) => {
    expect(ipFamilyOf(text)).toBe(strict);
    expect(ipFamilyOf(text, 'sloppy')).toBe(sloppy);
  });
});
