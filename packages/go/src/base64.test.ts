import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64Fault, decodeBase64, encodeBase64 } from './base64.ts';

const hex = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('hex');
const illegal = (at: number): string => `illegal base64 data at input byte ${at}`;

describe('decodeBase64', () => {
  // The results of StdEncoding and RawStdEncoding of Go 1.26.
  it.each([
    ['', '', ''],
    ['YQ==', '61', illegal(2)],
    ['YWI=', '6162', illegal(3)],
    ['YWJj', '616263', '616263'],
    ['YR==', '61', illegal(2)],
    ['YQ', illegal(0), '61'],
    ['YWJjZ', illegal(4), illegal(4)],
    ['Y\nQ\r\n==', '61', illegal(5)],
    ['YQ=\n=\n', '61', illegal(2)],
    ['YQ=', illegal(3), illegal(2)],
    ['YQ=x', illegal(2), illegal(2)],
    ['YQ==x', illegal(4), illegal(2)],
    ['YWI=x', illegal(4), illegal(3)],
    ['Y=', illegal(1), illegal(1)],
    ['ab!d', illegal(2), illegal(2)],
    ['-_8=', illegal(0), illegal(0)],
    ['+/8=', 'fbff', illegal(3)],
  ])('reads %j as Go does', (text, standard, raw) => {
    expect(hex(decodeBase64(text))).toBe(standard);
    expect(hex(decodeBase64(text, 'raw'))).toBe(raw);
  });

  it('decodes the alphabet for URLs', () => {
    expect(hex(decodeBase64('-_8=', 'url'))).toBe('fbff');
    expect(decodeBase64('+/8=', 'url')).toBe(illegal(0));
    expect(decodeBase64('aGk', 'url')).toBe(illegal(0));
  });

  it('decodes what we and Node encode', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(bytes);
        expect(base64Fault(text)).toBeUndefined();
      }),
    );
  });
});
