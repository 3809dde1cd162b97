// A string for each format that Kubernetes checks. Names are compared without hyphens, as it does.
import type { Dice } from './dice.ts';

type Maker = (dice: Dice) => string;

/** In pieces of six digits: one number each. */
function hex(dice: Dice, digits: number): string {
  if (digits > 6) return hex(dice, 6) + hex(dice, digits - 6);
  return dice
    .int(0, 16 ** digits - 1)
    .toString(16)
    .padStart(digits, '0');
}
const two = (value: number): string => String(value).padStart(2, '0');
const octet = (dice: Dice): number => dice.int(0, 255);

const date: Maker = (dice) => `${dice.int(1970, 2099)}-${two(dice.int(1, 12))}-${two(dice.int(1, 28))}`;
const time: Maker = (dice) => `${two(dice.int(0, 23))}:${two(dice.int(0, 59))}:${two(dice.int(0, 59))}`;
const ipv4: Maker = (dice) => `${dice.int(1, 223)}.${octet(dice)}.${octet(dice)}.${octet(dice)}`;
const ipv6: Maker = (dice) => `2001:db8::${dice.int(1, 0xffff).toString(16)}`;
const hostname: Maker = (dice) =>
  dice.pick(['example.com', 'a.example.org', 'db-0.svc.local', 'x.test', 'localhost']);
const uuid =
  (version: string): Maker =>
  (dice) =>
    `${hex(dice, 8)}-${hex(dice, 4)}-${version}${hex(dice, 3)}-${dice.pick(['8', '9', 'a', 'b'])}${hex(dice, 3)}-${hex(dice, 12)}`;
const isbn10: Maker = (dice) => dice.pick(['0306406152', '080442957X']);
const isbn13: Maker = (dice) => dice.pick(['9780306406157', '9783161484100']);
const byte: Maker = (dice) => dice.pick(['YQ==', 'aW5zdGFy', 'AAEC', '/+8=', 'c2VjcmV0']);

const MAKERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['bsonobjectid', (dice) => hex(dice, 24)],
  [
    'uri',
    (dice) =>
      dice.pick([
        'https://example.com',
        'http://a.test/x?y=1',
        '/a/b',
        'oci://registry.test/a',
        'https://[::1]:8443/',
      ]),
  ],
  ['email', (dice) => dice.pick(['jo@example.com', 'a.b+c@x.org', 'Jo <jo@example.com>'])],
  ['hostname', hostname],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['ip', (dice) => (dice.chance(50) ? ipv4(dice) : ipv6(dice))],
  [
    'cidr',
    (dice) =>
      dice.chance(70) ? `10.${octet(dice)}.0.0/16` : `2001:db8:${dice.int(1, 0xffff).toString(16)}::/64`,
  ],
  ['mac', (dice) => Array.from({ length: 6 }, () => hex(dice, 2)).join(':')],
  ['uuid', uuid('4')],
  ['uuid3', uuid('3')],
  ['uuid4', uuid('4')],
  ['uuid5', uuid('5')],
  ['isbn', isbn13],
  ['isbn10', isbn10],
  ['isbn13', isbn13],
  ['creditcard', (dice) => dice.pick(['4111111111111111', '5500005555555559'])],
  ['ssn', (dice) => `${dice.int(100, 999)}-${dice.int(10, 99)}-${dice.int(1000, 9999)}`],
  ['hexcolor', (dice) => `#${hex(dice, 6)}`],
  ['rgbcolor', (dice) => `rgb(${octet(dice)},${octet(dice)},${octet(dice)})`],
  ['byte', byte],
  ['date', date],
  ['duration', (dice) => dice.pick(['1s', '5m', '1h30m', '250ms', '24h', '0'])],
  ['datetime', (dice) => `${date(dice)}T${time(dice)}${dice.chance(80) ? 'Z' : '+02:00'}`],
  ['k8sshortname', (dice) => dice.pick(['a', 'web-1', 'x0'])],
  ['k8slongname', (dice) => dice.pick(['a', 'web.example', 'x-0.y'])],
]);

/** Undefined for formats without effect. */
export function formatted(format: string, dice: Dice): string | undefined {
  return MAKERS.get(format.replaceAll('-', ''))?.(dice);
}
