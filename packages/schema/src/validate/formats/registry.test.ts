import { describe, expect, it } from 'vitest';
import { formatCheck, isFormatKnown } from './registry.ts';

const CASES: Record<string, { accepts: string[]; refuses: string[] }> = {
  'date-time': {
    accepts: ['2024-02-29T12:30:45Z', '2024-02-29t12:30:45.123+02:00'],
    refuses: ['2024-02-30T12:30:45Z', '2024-02-29 12:30:45', '', '2024-02-29T24:00:00Z'],
  },
  date: { accepts: ['2024-02-29'], refuses: ['2023-02-29', '24-02-29', '2024-13-01'] },
  duration: {
    accepts: ['1h30m', '-1.5h', '3 days', 'PT1H', '0', '2 weeks'],
    refuses: ['an hour', '10', '', '1'.repeat(200_000), '99999999999999999999 s'],
  },
  ipv4: {
    accepts: ['10.0.0.1', '010.000.000.001', '::ffff:1.2.3.4'],
    refuses: ['10.0.0.256', '::1', '1.2.3', '1.2.3.4.5'],
  },
  ipv6: {
    accepts: ['2001:db8::1', '::', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    refuses: ['2001:db8::g', '10.0.0.1', '1::2::3', '1:2:3:4:5:6:7', '::ffff:01.2.3.4', ':1'],
  },
  cidr: {
    accepts: ['10.0.0.0/8', '2001:db8::/32', '::/128'],
    refuses: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '::/129'],
  },
  mac: {
    accepts: ['00:1a:2b:3c:4d:5e', '00-1a-2b-3c-4d-5e', '001a.2b3c.4d5e'],
    refuses: ['00:1a:2b:3c:4d', '00:1a:2b:3c:4d:5g', ''],
  },
  byte: { accepts: ['aGVsbG8=', 'YQ=='], refuses: ['aGVsbG8', '*', '', 'a==='] },
  uuid: {
    accepts: ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc999c0b4ef8bb6d6bb9bd380a11'],
    refuses: ['a0eebc99'],
  },
  uuid4: { accepts: ['a0eebc999c0b4ef8bb6d6bb9bd380a11'], refuses: ['a0eebc999c0b1ef8bb6d6bb9bd380a11'] },
  email: {
    accepts: ['jo@example.com', 'Jo <jo@example.com>', '"a b"@example.com'],
    refuses: ['jo', 'jo@', '@example.com', 'jo@example..com', 'a b@example.com'],
  },
  uri: {
    accepts: ['https://example.com/a?b=c', '/a/b', 'mailto:x', '*', 'http://[::1]:80/'],
    refuses: ['example.com', '', ':a', 'http://a b/', 'http://a:x/', '/%zz'],
  },
  hostname: { accepts: ['a-1.example.com', 'localhost', 'a'], refuses: ['a_b', '-a', '', 'a.b.c1'] },
  hexcolor: { accepts: ['#ff00aa', 'fff'], refuses: ['#ff00a'] },
  rgbcolor: { accepts: ['rgb(0, 10,255)'], refuses: ['rgb(0,0,256)', 'rgb(0,0)'] },
  isbn: { accepts: ['0321751043', '978-0321751041'], refuses: ['0321751044', '9780321751042'] },
  creditcard: { accepts: ['4111 1111 1111 1111'], refuses: ['4111111111111112', '1'] },
  ssn: { accepts: ['111-22-3333'], refuses: ['111223333', '11-22-3333'] },
  bsonobjectid: { accepts: ['507f1f77bcf86cd799439011'], refuses: ['507f1f77bcf86cd79943901'] },
  password: { accepts: ['', 'anything'], refuses: [] },
  'k8s-short-name': { accepts: ['my-name', 'a'], refuses: ['my.name', '-a', 'a-', '', 'a'.repeat(64)] },
  'k8s-long-name': { accepts: ['my.name-1'], refuses: ['My.name', 'a..b', '.a'] },
};

describe.each(Object.entries(CASES))('%s', (format, { accepts, refuses }) => {
  it('accepts valid texts only', () => {
    const check = formatCheck(format)!;
    for (const text of accepts) expect([text, check(text)]).toEqual([text, true]);
    for (const text of refuses) expect([text.slice(0, 40), check(text)]).toEqual([text.slice(0, 40), false]);
  });
});

it('a format is known only for its type', () => {
  expect(isFormatKnown('string', 'date-time')).toBe(true);
  expect(isFormatKnown('string', 'semver')).toBe(false);
  expect(isFormatKnown('integer', 'int32')).toBe(true);
  expect(isFormatKnown('integer', 'uint8')).toBe(false);
  expect(isFormatKnown('boolean', 'byte')).toBe(false);
});
