import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { isAddress } from './hosts.ts';

it.each([
  '127.0.0.1',
  '10.0.0.256',
  '::',
  '::1',
  'fe80::1:2',
  '::ffff:1.2.3.4',
  '1::2::3',
  '1:2',
  'localhost',
  'cafe',
  'cafe.de',
  '1.2',
  'a:b',
  '',
])('tells an address from a name as Node does: %s', (host) => expect(isAddress(host)).toBe(isIP(host) !== 0));
