import { describe, expect, it } from 'vitest';
import { compile } from '../../compile.ts';
import { CelError, type Value } from '../../values.ts';
import { kubernetesEnvironment } from '../environment.ts';
import { type AuthorizationCheck, authorizerType, authorizerValue } from './authorizer.ts';

function evaluate(expression: string, variables: Record<string, unknown> = {}): Value {
  const environment = kubernetesEnvironment().extend({ variables: { authorizer: authorizerType } });
  return compile(expression, environment).evaluate(variables).value;
}

const error = (expression: string): string => {
  const value = evaluate(expression);
  if (!(value instanceof CelError)) throw new Error(`${expression} did not fail`);
  return value.message;
};

const holds = (...expressions: string[]) =>
  it.each(expressions)('%s', (expression) => expect(evaluate(expression)).toBe(true));

describe('IP addresses', () => {
  holds(
    'isIP("10.0.0.1") && isIP("::1") && !isIP("10.0.0.256") && !isIP("::ffff:1.2.3.4")',
    'ip("10.0.0.1").family() == 4 && ip("2001:db8::").family() == 6',
    'ip("2001:DB8::1") == ip("2001:db8:0::1") && ip("10.0.0.1") != ip("10.0.0.2")',
    'ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1")',
    'ip("0.0.0.0").isUnspecified() && ip("127.9.9.9").isLoopback() && ip("fe80::1").isLinkLocalUnicast()',
    'ip("224.0.0.1").isLinkLocalMulticast() && ip("8.8.8.8").isGlobalUnicast()',
    'string(ip("2001:DB8::1")) == "2001:db8::1"',
    'type(ip("::1")) == net.IP',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('ip("x").family() == 4')).toBe(
      'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP',
    );
    expect(error('ip.isCanonical("fe80::1%en0")')).toBe(
      'IP address "fe80::1%en0" with zone value is not allowed',
    );
  });
});

describe('networks', () => {
  holds(
    'isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0") && !isCIDR("10.0.0.0/08")',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))',
    '!cidr("10.0.0.0/8").containsIP("11.0.0.1")',
    'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16"))',
    '!cidr("10.0.0.0/8").containsCIDR("10.0.0.0/7")',
    'cidr("10.1.2.3/8").ip() == ip("10.1.2.3") && cidr("10.1.2.3/8").prefixLength() == 8',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && string(cidr("10.1.2.3/8")) == "10.1.2.3/8"',
  );

  it('fails with the error texts of upstream', () => {
    const twice = 'network address parse error during conversion from string: '.repeat(2);
    expect(error('cidr("10.0.0.0").prefixLength() == 0')).toBe(
      `${twice}netip.ParsePrefix("10.0.0.0"): no '/'`,
    );
    expect(error('cidr("10.0.0.0/8").containsIP("x")')).toContain('unable to parse IP');
  });
});

describe('quantities', () => {
  holds(
    'isQuantity("1.5Gi") && !isQuantity("1.5 Gi")',
    'quantity("1k") == quantity("1000") && quantity("1k") != quantity("1001")',
    'quantity("50k").add(quantity("20")) == quantity("50020") && quantity("50k").sub(20) == quantity("49980")',
    'quantity("50k").add(20).sub(quantity("20")).asInteger() == 50000',
    'quantity("1020k").isGreaterThan(quantity("1M")) && quantity("1020k").isLessThan(quantity("1Mi"))',
    'quantity("1").compareTo(quantity("2")) == -1 && quantity("2").compareTo(quantity("2")) == 0',
    'sign(quantity("-5")) == -1 && sign(quantity("0")) == 0',
    'quantity("1.5k").isInteger() && !quantity("0.5").isInteger() && quantity("500m").asApproximateFloat() == 0.5',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('quantity("x").isInteger()')).toMatch(/^quantities must match the regular expression/);
    expect(error('quantity("0.5").asInteger() == 0')).toBe('cannot convert value to integer');
    expect(error('quantity("1e2000000000").add(1).isInteger()')).toMatch(/too far apart/);
  });
});

describe('versions', () => {
  holds(
    'isSemver("1.2.3") && !isSemver("v1.2.3") && isSemver("v1.2", true) && !isSemver("x", true)',
    'semver("1.2.3-rc.1").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3',
    'semver("1.9.0").isLessThan(semver("1.10.0")) && semver("1.0.0").isGreaterThan(semver("1.0.0-rc.1"))',
    'semver("v1.2", true).compareTo(semver("1.2.0")) == 0 && semver("1.0.0+a") == semver("1.0.0+b")',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('semver("v1").major() > 0')).toBe('No Major.Minor.Patch elements found');
  });
});

describe('URLs', () => {
  holds(
    'isURL("https://example.com:80/a?b=c") && isURL("/path") && !isURL("example.com")',
    'url("https://a.b:80/").getScheme() == "https" && url("https://a.b:80/").getHost() == "a.b:80"',
    'url("https://a.b:80/").getHostname() == "a.b" && url("https://[::1]:80/").getHostname() == "::1" && url("/x").getPort() == ""',
    'url("https://h/a b").getEscapedPath() == "/a%20b"',
    'url("https://h/?k=1&k=2&l=").getQuery() == {"k": ["1", "2"], "l": [""]} && url("https://h/").getQuery() == {}',
    'url("HTTP://h/") == url("http://h/")',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('url("a b").getHost() == ""')).toBe(
      'URL parse error during conversion from string: parse "a b": invalid URI for request',
    );
  });
});

describe('regular expressions', () => {
  holds(
    '"abc 123".find("[0-9]+") == "123" && "abc".find("x") == ""',
    '"123 abc 456".findAll("[0-9]+") == ["123", "456"] && "1a2b3".findAll("[0-9]", 2) == ["1", "2"]',
    '"123 abc 456".findAll("[0-9]*") == ["123", "", "", "", "", "456"]',
    '"abc".findAll("x") == [] && "abc".findAll("b", 0) == []',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('"a".find(["("][0]) == ""')).toBe(
      'Illegal regex: error parsing regexp: missing closing ): `(`',
    );
  });
});

describe('durations', () => {
  holds('duration(1500000000) == duration("1.5s")');
});

describe('lists', () => {
  holds(
    '[1, 2, 2].isSorted() && ![2, 1].isSorted() && ["a", "b"].isSorted() && [false, true].isSorted()',
    '[1, 3].sum() == 4 && [1.5, 2.0].sum() == 3.5 && [1u, 2u].sum() == 3u && [duration("1m"), duration("1s")].sum() == duration("61s")',
    '[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && ["b", "a"].min() == "a" && [b"a", b"b"].max() == b"b"',
    '[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && [1].indexOf(9) == -1',
    '[timestamp("2024-01-01T00:00:00Z"), timestamp("2025-01-01T00:00:00Z")].isSorted()',
    '["\\U0000ffff", "\\U00010000"].isSorted()',
  );

  it('fails with the error texts of upstream', () => {
    expect(error('[1].filter(x, x > 1).min() == 0')).toBe('min called on empty list');
    expect(error('[9223372036854775807, 1].sum() == 0')).toBe('integer overflow');
  });
});

describe('named formats', () => {
  holds(
    '!format.dns1123Label().validate("a-1").hasValue()',
    'format.dns1123Label().validate("A.b").value().size() == 1',
    'format.named("uri").hasValue() && !format.named("date-time").hasValue()',
    'format.named("labelValue").value().validate("x y").hasValue()',
    '!format.dns1123LabelPrefix().validate("a-").hasValue() && format.dns1123Label().validate("a-").hasValue()',
    'format.uuid().validate("x").value() == ["does not match the UUID format"]',
    'format.date() == format.date() && format.date() != format.datetime()',
  );
});

describe('authorization', () => {
  const asked: AuthorizationCheck[] = [];
  const authorizer = authorizerValue((check) => {
    asked.push(check);
    return check.verb === 'fail'
      ? { allowed: false, reason: 'broken', error: 'it broke' }
      : { allowed: check.verb === 'get', reason: 'because' };
  });

  it('calls the function of the host', () => {
    const expression = `authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').subresource('scale').namespace('default')
      .name('web').fieldSelector('a=b').labelSelector('c in (d)').check('get').allowed()`;
    expect(evaluate(expression, { authorizer })).toBe(true);
    expect(asked.pop()).toEqual({
      serviceAccount: { namespace: 'ns', name: 'sa' },
      verb: 'get',
      target: {
        group: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'default',
        name: 'web',
        fieldSelector: 'a=b',
        labelSelector: 'c in (d)',
      },
    });
  });

  it('returns the decision of the host', () => {
    expect(evaluate("authorizer.path('/healthz').check('put').reason() == 'because'", { authorizer })).toBe(
      true,
    );
    expect(
      evaluate(
        "authorizer.path('/x').check('fail').errored() && authorizer.path('/x').check('fail').error() == 'it broke'",
        {
          authorizer,
        },
      ),
    ).toBe(true);
  });

  it('refuses invalid checks', () => {
    expect(evaluate("authorizer.path(' ').check('get').allowed()", { authorizer })).toEqual(
      new CelError('path must not be empty'),
    );
    expect(evaluate("authorizer.group('').resource('').check('get').allowed()", { authorizer })).toEqual(
      new CelError('resource must not be empty'),
    );
    expect(
      evaluate("authorizer.serviceAccount('x.y', 'a').path('/').check('get').allowed()", { authorizer }),
    ).toEqual(new CelError('Invalid service account namespace'));
  });
});
