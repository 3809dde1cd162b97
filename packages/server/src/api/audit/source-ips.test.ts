import { expect, it } from 'vitest';
import { sourceIps } from './source-ips.ts';

it.each<[string, Record<string, string>, string, string[]]>([
  ['the address that is connected', {}, '10.0.0.1', ['10.0.0.1']],
  ['that of a socket for both families', {}, '::ffff:10.0.0.1', ['10.0.0.1']],
  [
    'those that proxies name first',
    { 'x-forwarded-for': '1.2.3.4, x, ::1' },
    '10.0.0.1',
    ['1.2.3.4', '::1', '10.0.0.1'],
  ],
  ['the connected one once', { 'x-forwarded-for': '1.2.3.4,10.0.0.1' }, '10.0.0.1', ['1.2.3.4', '10.0.0.1']],
  ['the one of X-Real-Ip', { 'x-real-ip': '1.2.3.4' }, '10.0.0.1', ['1.2.3.4', '10.0.0.1']],
  ['no text that is not an address', { 'x-forwarded-for': 'a\nb', 'x-real-ip': '"' }, '', []],
])('the addresses are %s', (_, headers, remoteAddress, expected) => {
  expect(sourceIps({ headers, remoteAddress })).toEqual(expected);
});
