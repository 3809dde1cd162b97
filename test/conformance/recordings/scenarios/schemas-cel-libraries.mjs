// The function libraries that CEL rules may use.
import { integer, object } from '../lib/fixtures.mjs';
import { rules } from './schemas/install.mjs';

// Bounds keep the estimated cost of the rules below what a CRD may cost.
const short = { type: 'string', maxLength: 40 };
const list = (items, rest) => ({ type: 'array', maxItems: 10, items, ...rest });
const map = (values) => ({ type: 'object', maxProperties: 10, additionalProperties: values });

export async function celStrings(t) {
  await rules(t, 'cel-strings', [
    [short, 'self.lowerAscii() == "abcÉ" && self.upperAscii() == "ABCÉ"', ['AbcÉ'], ['abcé']],
    [short, 'self.split(",") == ["a", "b", ""]', ['a,b,'], ['a,b']],
    [short, 'self.split(",", 2) == ["a", "b,c"] && self.split(",", 0) == []', ['a,b,c'], ['a,b']],
    [short, 'self.split("") == ["é", "x"]', ['éx'], ['ex']],
    [
      short,
      'self.replace("a", "b") == "bbnbnb" && self.replace("a", "b", 1) == "bbnana"',
      ['banana'],
      ['bnn'],
    ],
    [short, 'self.charAt(1) == "é" && self.charAt(2) == ""', ['aé'], ['ab']],
    [
      short,
      'self.indexOf("a") == 1 && self.lastIndexOf("a") == 5 && self.indexOf("a", 2) == 3 && self.indexOf("q") == -1',
      ['banana'],
      ['ananas'],
    ],
    [short, 'self.substring(1, 3) == "an" && self.substring(4) == "na"', ['banana'], ['bananas']],
    [short, 'self.trim() == "a b"', ['  a b\t\n', 'a b'], ['a  b']],
    [list(short), 'self.join("-") == "a-b" && self.join() == "ab"', [['a', 'b']], [['b', 'a']]],
    [short, 'strings.quote(self) == "\\"a\\\\n\\""', ['a\n'], ['a']],
    [
      integer,
      '"%d|%s|%x|%X|%o|%b|%%".format([self, self, self, self, self, self]) == "255|255|ff|FF|377|11111111|%"',
      [255],
      [254],
    ],
    [
      { type: 'number' },
      '"%.2f|%s|%f".format([self, self, self]) == "1,234.50|1234.5|1,234.500000"',
      [1234.5],
      [1234],
    ],
    [
      short,
      '"%s is %s in %s".format([self, true, [1, "a", null]]) == "x is true in [1, \\"a\\", null]"',
      ['x'],
      ['y'],
    ],
    [
      short,
      '"%s|%s|%s".format([{"k": self}, duration("90s"), timestamp("2024-01-02T03:04:05Z")]) == "{\\"k\\":\\"x\\"}|90s|2024-01-02T03:04:05Z"',
      ['x'],
      ['y'],
    ],
    [short, '"%x|%X".format([self, self]) == "6f6b|6F6B"', ['ok'], ['no']],
    [short, 'self.find("[0-9]+") == "12" && self.find("q") == ""', ['a12b3'], ['a1b']],
    [
      short,
      'self.findAll("[0-9]") == ["1", "2", "3"] && self.findAll("[0-9]", 2) == ["1", "2"]',
      ['1a2b3'],
      ['12'],
    ],
    [short, 'self.matches("^(?i)abc$")', ['ABC'], ['abcd']],
  ]);
}

export async function celLists(t) {
  const numbers = list(integer);
  await rules(t, 'cel-lists', [
    [numbers, 'self.isSorted()', [[1, 1, 2], []], [[2, 1]]],
    [list(short), 'self.isSorted()', [['a', 'b']], [['b', 'a']]],
    [numbers, 'self.sum() == 6 && self.min() == 1 && self.max() == 3', [[3, 1, 2]], [[3, 3]]],
    [list({ type: 'number' }), 'self.sum() == 0.75', [[0.5, 0.25]], [[0.5]]],
    [numbers, 'self.min() > 0', [[1]], [[]]],
    [
      numbers,
      'self.indexOf(2) == 1 && self.lastIndexOf(2) == 2 && self.indexOf(9) == -1',
      [[1, 2, 2]],
      [[2, 1, 2]],
    ],
    [numbers, 'self.slice(1, 3) == [2, 3]', [[1, 2, 3, 4]], [[1, 2, 4]]],
    [numbers, 'self.distinct() == [2, 1]', [[2, 1, 2]], [[1, 2]]],
    [numbers, 'self.reverse() == [3, 2, 1] && self.sort() == [1, 2, 3]', [[1, 2, 3]], [[2, 1, 3]]],
    [list(numbers), 'self.flatten() == [1, 2, 3]', [[[1], [2, 3]]], [[[3, 2, 1]]]],
    [
      list(object({ n: integer }, { required: ['n'] })),
      'self.sortBy(x, -x.n).map(x, x.n) == [3, 2, 1]',
      [[{ n: 1 }, { n: 3 }, { n: 2 }]],
      [[{ n: 1 }]],
    ],
    [integer, 'lists.range(3).exists(x, x == self)', [2], [3]],
    [numbers, 'sets.contains(self, [1, 2])', [[2, 3, 1]], [[1]]],
    [numbers, 'sets.equivalent(self, [1, 2])', [[2, 1, 1]], [[1, 2, 3]]],
    [numbers, 'sets.intersects(self, [1, 2])', [[2, 9]], [[9], []]],
    [numbers, 'self.all(i, v, i == v)', [[0, 1, 2]], [[1]]],
    [numbers, 'self.exists(i, v, i == v)', [[5, 1]], [[5]]],
    [numbers, 'self.existsOne(i, v, i == v)', [[5, 1]], [[0, 1]]],
    [numbers, 'self.transformList(i, v, i * v) == [0, 5]', [[4, 5]], [[4]]],
    [numbers, 'self.transformList(i, v, v > 4, v) == [5]', [[4, 5]], [[4]]],
    [numbers, 'self.transformMap(i, v, v + 1) == {0: 5, 1: 6}', [[4, 5]], [[4]]],
    [map(integer), 'self.all(k, v, k != "bad" && v > 0)', [{ a: 1 }], [{ a: 1, bad: 1 }]],
    [map(integer), 'self.transformMap(k, v, v * 2) == {"a": 2}', [{ a: 1 }], [{ a: 2 }]],
    [map(short), 'self.transformMapEntry(k, v, {v: k}) == {"x": "a"}', [{ a: 'x' }], [{ a: 'y' }]],
    [map(integer), 'self.exists(k, v, k == "a" && v == 1)', [{ a: 1 }], [{ a: 2 }]],
  ]);
}

export async function celOptionals(t) {
  const pair = object({ a: integer, b: object({ c: integer }) });
  await rules(t, 'cel-optionals', [
    [pair, 'self.?a.orValue(5) == 5', [{}, { a: 5 }], [{ a: 4 }]],
    [pair, 'self.?b.?c.orValue(1) > 0', [{}, { b: {} }, { b: { c: 1 } }], [{ b: { c: 0 } }]],
    [pair, 'self.?b.c.hasValue()', [{ b: { c: 0 } }], [{}, { b: {} }]],
    [pair, 'self.?a.or(self.?b.?c).orValue(0) == 7', [{ a: 7 }, { b: { c: 7 } }], [{}]],
    [pair, 'self.?a.optMap(x, x * 2).orValue(0) == 4', [{ a: 2 }], [{}]],
    [pair, 'self.?a.optFlatMap(x, optional.ofNonZeroValue(x)).hasValue()', [{ a: 1 }], [{ a: 0 }, {}]],
    [pair, 'self.?a.value() == 1', [{ a: 1 }], [{}]],
    [map(integer), 'self[?"k"].orValue(1) == 1', [{}, { k: 1 }], [{ k: 2 }]],
    [list(integer), 'self[?1].orValue(9) == 9', [[1], [1, 9]], [[1, 2]]],
    [pair, '[?self.?a, 5] == [1, 5] || [?self.?a, 5] == [5]', [{ a: 1 }, {}], [{ a: 2 }]],
    [pair, '{?"k": self.?a} == {} || {?"k": self.?a} == {"k": 1}', [{ a: 1 }, {}], [{ a: 2 }]],
    [integer, 'optional.of(self) == optional.of(3) && optional.none() != optional.of(self)', [3], [4]],
  ]);
}

export async function celTime(t) {
  const duration = { type: 'string', format: 'duration' };
  const time = { type: 'string', format: 'date-time' };
  const date = { type: 'string', format: 'date' };
  await rules(t, 'cel-time', [
    [duration, 'self < duration("1h") && self.getSeconds() == 90', ['1m30s', '90s'], ['91s']],
    [
      duration,
      'self.getHours() == 1 && self.getMinutes() == 90 && self.getMilliseconds() == 5400000',
      ['1h30m'],
      ['2h'],
    ],
    [duration, 'self + duration("30m") == duration("2h") && string(self) == "5400s"', ['90m'], ['1h']],
    [short, 'duration(self) == duration("1.5s")', ['1500ms', '1s500ms'], ['1s']],
    [
      time,
      'self > timestamp("2024-01-01T00:00:00Z")',
      ['2024-01-01T01:00:00+00:30'],
      ['2024-01-01T00:00:00+01:00'],
    ],
    [
      time,
      'self.getFullYear() == 2024 && self.getMonth() == 1 && self.getDate() == 29 && self.getDayOfMonth() == 28 && self.getDayOfYear() == 59',
      ['2024-02-29T10:20:30Z'],
      ['2024-03-01T10:20:30Z'],
    ],
    [
      time,
      'self.getHours() == 10 && self.getMinutes() == 20 && self.getSeconds() == 30 && self.getMilliseconds() == 250',
      ['2024-02-29T10:20:30.250Z'],
      ['2024-02-29T11:20:30.250Z'],
    ],
    [
      time,
      'self.getHours("+02:00") == 1 && self.getDate("+02:00") == 1',
      ['2024-02-29T23:00:00Z'],
      ['2024-02-29T22:30:00-01:30'],
    ],
    [
      time,
      'self - timestamp("2024-01-01T00:00:00Z") == duration("24h") && self - duration("24h") < self',
      ['2024-01-02T00:00:00Z'],
      ['2024-01-03T00:00:00Z'],
    ],
    [
      time,
      'string(self) == "2024-01-02T00:00:00Z" && int(self) == 1704153600',
      ['2024-01-02T00:00:00Z'],
      ['2024-01-02T00:00:01Z'],
    ],
    [
      date,
      'self.getFullYear() == 2024 && self < timestamp("2024-06-01T00:00:00Z")',
      ['2024-02-29'],
      ['2024-07-01'],
    ],
  ]);
}

export async function celNetwork(t) {
  await rules(t, 'cel-network', [
    [short, 'isURL(self)', ['https://a.b:80/c?d=e', '/path'], ['a b', 'example.com']],
    [
      short,
      'url(self).getScheme() == "https" && url(self).getHost() == "a.b:80" && url(self).getHostname() == "a.b" && url(self).getPort() == "80"',
      ['https://a.b:80/'],
      ['https://a.b/'],
    ],
    [
      short,
      'url(self).getEscapedPath() == "/a%20b" && url(self).getQuery() == {"k": ["1", "2"], "l": [""]}',
      ['http://h/a%20b?k=1&k=2&l='],
      ['http://h/a?k=1'],
    ],
    [short, 'url(self).getHostname() == "::1"', ['http://[::1]:8/'], ['http://a/']],
    [
      short,
      'isIP(self)',
      ['10.0.0.1', '::1'],
      ['10.0.0.256', '010.0.0.1', '10.0.0.0/8', 'fe80::1%eth0', '::ffff:1.2.3.4'],
    ],
    [short, 'ip(self).family() == 6 && ip.isCanonical(self)', ['2001:db8::1'], ['2001:DB8::1', '10.0.0.1']],
    [short, 'ip(self).isLoopback() || ip(self).isUnspecified()', ['127.0.0.1', '::'], ['10.0.0.1']],
    [
      short,
      'ip(self).isLinkLocalUnicast() || ip(self).isLinkLocalMulticast()',
      ['169.254.1.1', 'ff02::1'],
      ['8.8.8.8'],
    ],
    [short, 'ip(self).isGlobalUnicast() && string(ip(self)) == self', ['10.0.0.1'], ['127.0.0.1']],
    [short, 'isCIDR(self)', ['10.0.0.0/8', '2001:db8::/32'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08']],
    [
      short,
      'cidr("10.0.0.0/8").containsIP(self) && cidr("10.0.0.0/8").containsIP(ip(self))',
      ['10.1.2.3'],
      ['11.0.0.1'],
    ],
    [short, 'cidr("10.0.0.0/8").containsCIDR(self)', ['10.1.0.0/16'], ['10.0.0.0/7']],
    [
      short,
      'cidr(self).ip() == ip("10.1.2.3") && cidr(self).prefixLength() == 8 && cidr(self).masked() == cidr("10.0.0.0/8")',
      ['10.1.2.3/8'],
      ['10.1.2.3/9'],
    ],
  ]);
}

export async function celQuantityAndVersion(t) {
  await rules(t, 'cel-quantity', [
    [short, 'isQuantity(self)', ['5', '1.5Gi', '-3m', '1e3', '12E', '+5k', 'Mi'], ['1.5 Gi', '5kb', 'x', '']],
    [short, 'quantity(self).isInteger() && quantity(self).asInteger() == 1500', ['1.5k', '1500'], ['1501']],
    [short, 'quantity(self).asApproximateFloat() == 0.5', ['500m'], ['1']],
    [
      short,
      'quantity(self).add(quantity("1Gi")) == quantity("2Gi") && quantity(self).sub(1) == quantity("1073741823")',
      ['1024Mi'],
      ['1Mi'],
    ],
    [
      short,
      'quantity(self).isGreaterThan(quantity("1M")) && quantity(self).isLessThan(quantity("1Mi")) && quantity(self).compareTo(quantity("1Mi")) == -1',
      ['1020k'],
      ['1Mi'],
    ],
    [short, 'sign(quantity(self)) == -1', ['-5'], ['0', '5']],
    [
      { 'x-kubernetes-int-or-string': true, maxLength: 20 },
      'quantity(string(self)).compareTo(quantity("1k")) == 0',
      [1000, '1k'],
      [1001],
    ],
    [short, 'isSemver(self)', ['1.2.3', '1.0.0-alpha.1+b'], ['v1.2.3', '1.2', '01.2.3', '']],
    [short, 'isSemver(self, true)', ['v1.2.3', '1.2', '01.2.3'], ['x']],
    [
      short,
      'semver(self).major() == 1 && semver(self).minor() == 2 && semver(self).patch() == 3',
      ['1.2.3-rc.1'],
      ['1.2.4'],
    ],
    [
      short,
      'semver(self).isLessThan(semver("1.10.0")) && semver(self).isGreaterThan(semver("1.0.0-rc.1"))',
      ['1.9.0', '1.0.0'],
      ['1.10.0'],
    ],
    [short, 'semver(self, true).compareTo(semver("1.2.0")) == 0', ['v1.2'], ['v1.3']],
    [short, 'semver(self).major() > 0', ['1.0.0'], ['v1']],
  ]);
}

export async function celFormats(t) {
  const format = (name, good, bad) => [short, `!format.${name}().validate(self).hasValue()`, good, bad];
  await rules(t, 'cel-formats', [
    format('dns1123Label', ['a-1'], ['a.b', 'A', '-a', 'a-']),
    format('dns1123Subdomain', ['a.b-c.1'], ['a..b', 'A.b']),
    format('dns1035Label', ['a-1'], ['1-a']),
    format('qualifiedName', ['example.com/Name_1', 'Name'], ['a/b/c', '/a']),
    format('dns1123LabelPrefix', ['a-'], ['AB-']),
    format('dns1123SubdomainPrefix', ['a.b-'], ['a_']),
    format('dns1035LabelPrefix', ['a-'], ['1b-']),
    format('labelValue', ['', 'A.b_c-1'], ['-a', 'a b']),
    format('uri', ['http://a/b', '/a'], ['a b']),
    format('uuid', ['123e4567e89b12d3a456426614174000'], ['123']),
    format('byte', ['aGk='], ['aGk']),
    format('date', ['2024-02-29'], ['2023-02-29']),
    format('datetime', ['2024-02-29T00:00:00Z'], ['2024-02-29']),
    [short, 'format.named(self).hasValue()', ['dns1123Label', 'uri'], ['nothing', 'date-time']],
    [short, 'format.dns1123Label().validate(self).orValue([]).size() == 1', ['A'], ['a']],
    [short, '!format.named("labelValue").value().validate(self).hasValue()', ['x'], ['x y']],
  ]);
}
