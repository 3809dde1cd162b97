import { describe, expect, it } from 'vitest';
import { readCidr, readIp } from './addresses.ts';

describe('readIp', () => {
  it('has the error texts of upstream', () => {
    expect(readIp('x')).toBe(
      'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP',
    );
    expect(readIp('fe80::1%eth0')).toBe('IP address "fe80::1%eth0" with zone value is not allowed');
    expect(readIp('::ffff:1.2.3.4')).toBe('IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed');
  });
});

describe('readCidr', () => {
  it('has the error texts of upstream', () => {
    expect(readCidr('10.0.0.0')).toBe(
      'network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no \'/\'',
    );
    expect(readCidr('::ffff:1.2.3.4/120')).toBe(
      'IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed',
    );
  });
});
