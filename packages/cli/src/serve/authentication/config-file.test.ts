import { createCa } from '@instar/serving';
import { describe, expect, it } from 'vitest';
import { parseAuthenticationConfig } from './config-file.ts';

const ISSUER = { url: 'https://issuer.example.com', audiences: ['kube'] };
const JWT = { issuer: ISSUER, claimMappings: { username: { claim: 'sub', prefix: '' } } };

function parse(config: object, serviceAccountIssuers: readonly string[] = []) {
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    ...config,
  });
  return parseAuthenticationConfig(text, '/etc/auth.yaml', serviceAccountIssuers);
}

const issuer = (rest: object) => ({ jwt: [{ ...JWT, issuer: { ...ISSUER, ...rest } }] });
const mappings = (rest: object) => ({
  jwt: [{ ...JWT, claimMappings: { username: { claim: 'sub', prefix: '' }, ...rest } }],
});
const rules = (...all: object[]) => ({ jwt: [{ ...JWT, claimValidationRules: all }] });
const INVALID = 'invalid authentication configuration: ';

it.each(['v1', 'v1beta1'])('reads several issuers of %s, and what anonymous requests are for', (version) => {
  const second = {
    ...JWT,
    issuer: { url: 'https://two.example.com', audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' },
  };
  const settings = parse({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    jwt: [{ ...JWT, userValidationRules: null }, second],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
  });
  expect(settings.jwt.map((one) => one.issuer.url)).toEqual([ISSUER.url, 'https://two.example.com']);
  expect(settings.anonymous).toEqual({ enabled: true, conditions: [{ path: '/livez' }] });
});

describe('refuses', () => {
  it.each<[string, object, string]>([
    ['another kind', { kind: 'Pod' }, 'it contains no AuthenticationConfiguration'],
    ['another version', { apiVersion: 'apiserver.config.k8s.io/v2' }, 'its apiVersion must be one of'],
    [
      'an unknown field',
      { jwt: [{ ...JWT, colour: 1 }] },
      'strict decoding error: unknown field "jwt[0].colour"',
    ],
    ['a field of another type', { jwt: 'x' }, 'jwt must be of type array, and is string'],
    ['no URL', issuer({ url: '' }), `${INVALID}jwt[0].issuer.url: Required value`],
    [
      'http',
      issuer({ url: 'http://a.b' }),
      'jwt[0].issuer.url: Invalid value: "http://a.b": URL scheme must be https',
    ],
    ['a password', issuer({ url: 'https://a:b@c.d' }), 'URL must not contain a username or password'],
    ['a query', issuer({ url: 'https://a.b?c=d' }), 'URL must not contain a query'],
    ['a fragment', issuer({ url: 'https://a.b#c' }), 'URL must not contain a fragment'],
    [
      'the same URL for discovery',
      issuer({ discoveryURL: `${ISSUER.url}/` }),
      'discoveryURL must be different from URL',
    ],
    [
      'no audience',
      issuer({ audiences: [] }),
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    [
      'two audiences without a policy',
      issuer({ audiences: ['a', 'b'] }),
      'audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      'an audience twice',
      issuer({ audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' }),
      'jwt[0].issuer.audiences[1]: Duplicate value: "a"',
    ],
    [
      'an authority that is none',
      issuer({ certificateAuthority: 'x' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    [
      'an issuer twice',
      { jwt: [JWT, JWT] },
      'jwt[1].issuer.url: Duplicate value: "https://issuer.example.com"',
    ],
    [
      'a claim without a prefix',
      mappings({ username: { claim: 'sub' } }),
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set',
    ],
    [
      'a claim and an expression',
      mappings({ username: { claim: 'sub', expression: 'claims.sub' } }),
      "claim and expression can't both be set",
    ],
    [
      'no username',
      mappings({ username: {} }),
      'jwt[0].claimMappings.username: Required value: claim or expression is required',
    ],
    [
      'an expression that does not compile',
      mappings({ username: { expression: 'claims.sub +' } }),
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.sub +": compilation failed: ERROR: <input>:1:13',
    ],
    [
      'an e-mail address that need not be verified',
      mappings({ username: { expression: 'claims.email' } }),
      'claims.email_verified must be used in',
    ],
    [
      'a key of Kubernetes',
      mappings({ extra: [{ key: 'a.k8s.io/x', valueExpression: '"a"' }] }),
      'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    [
      'a key without a domain',
      mappings({ extra: [{ key: 'x', valueExpression: '"a"' }] }),
      'must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'a key in upper case',
      mappings({ extra: [{ key: 'a.io/X', valueExpression: '"a"' }] }),
      'must be lowercase',
    ],
    [
      'a rule of nothing',
      rules({}),
      'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    ],
    ['a rule that is no condition', rules({ expression: 'claims.sub' }), 'must evaluate to bool'],
    [
      'a value for an expression',
      rules({ expression: 'true', requiredValue: 'x' }),
      'may not be specified when expression is set',
    ],
    [
      'a rule twice',
      rules({ claim: 'a' }, { claim: 'a' }),
      'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"',
    ],
    [
      'a rule about an unknown field of users',
      { jwt: [{ ...JWT, userValidationRules: [{ expression: 'user.none == ""' }] }] },
      "undefined field 'none'",
    ],
    [
      'conditions of what is off',
      { anonymous: { enabled: false, conditions: [{ path: '/' }] } },
      'enabled should be set to true when conditions are defined',
    ],
    [
      '65 issuers',
      { jwt: Array.from({ length: 65 }, () => JWT) },
      'jwt: Too many: 65: must have at most 64 items',
    ],
  ])('%s', (_what, config, message) => {
    expect(() => parse(config)).toThrow(message);
  });

  it('the issuer of service accounts', () => {
    expect(() => parse({ jwt: [JWT] }, [ISSUER.url])).toThrow(
      `URL must not overlap with disallowed issuers: [${ISSUER.url}]`,
    );
  });
});

it('accepts an e-mail address that an expression checks', () => {
  const username = { expression: 'claims.?email_verified.orValue(false) ? claims.email : claims.sub' };
  expect(parse(mappings({ username })).jwt).toHaveLength(1);
});

it('accepts an authority in PEM', () => {
  expect(parse(issuer({ certificateAuthority: createCa('x', 1).certificate })).jwt).toHaveLength(1);
});
