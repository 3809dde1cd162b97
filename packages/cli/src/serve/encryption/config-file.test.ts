import { expect, it } from 'vitest';
import { parseEncryptionConfig } from './config-file.ts';

const parse = (...resources: object[]) =>
  parseEncryptionConfig(
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }),
  );
const secret = Buffer.alloc(32, 1).toString('base64');
const aesgcm = { keys: [{ name: 'k1', secret }] };
const kms = { apiVersion: 'v2', name: 'mine', endpoint: 'unix:///run/kms.sock' };

it('reads rules with their providers in order', () => {
  const resources = ['secrets', 'widgets.example.com', '*.apps'];
  expect(parse({ resources, providers: [{ aesgcm }, { kms }, { identity: {} }] })).toEqual([
    {
      resources: [
        { resource: 'secrets', group: '' },
        { resource: 'widgets', group: 'example.com' },
        { resource: '*', group: 'apps' },
      ],
      providers: [
        { type: 'aesgcm', keys: [{ name: 'k1', secret: Buffer.alloc(32, 1) }] },
        { type: 'kms', kms: { name: 'mine', socket: '/run/kms.sock', timeoutMs: 3000 } },
        { type: 'identity' },
      ],
    },
  ]);
});

it.each<[string, object[], string]>([
  ['no rule', [], 'resources: Required value: at least one resources is required'],
  ['no provider', [{ resources: ['secrets'] }], 'resources[0].providers: Required value'],
  ['an empty provider', [rule({})], 'provider does not contain any of the expected providers'],
  ['two in one', [rule({ aesgcm, identity: {} })], 'more than one provider specified in a single element'],
  [
    'no key',
    [rule({ aesgcm: { keys: [] } })],
    'providers[0].aesgcm.keys: Required value: at least one keys is required',
  ],
  [
    'a short key, without showing it',
    [rule({ secretbox: { keys: [{ name: 'a', secret: 'c2hvcnQ=' }] } })],
    'secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [32]',
  ],
  [
    'a key that is no base64',
    [rule({ aesgcm: { keys: [{ name: 'a', secret: 'not base64' }] } })],
    'Invalid value: "REDACTED": secrets must be base64 encoded',
  ],
  ['an unknown field', [rule({ aesgcm: { ...aesgcm, key: 1 } })], 'unknown field "resources[0].providers[0]'],
  [
    'a resource twice',
    [rule({ aesgcm }, ['a', 'a'])],
    'the same resource cannot be specified multiple times',
  ],
  ['overlapping resources', [rule({ aesgcm }, ['a', '*.'])], 'using overlapping resources'],
  ['a bare wildcard', [rule({ aesgcm }, ['*'])], "use '*.' to encrypt all the resources from core API group"],
  [
    'a masked rule',
    [rule({ aesgcm }, ['*.*']), rule({ aesgcm })],
    '"secrets" is masked by earlier rule "*.*"',
  ],
  ['a network address', [rule({ kms: { ...kms, endpoint: 'tcp://a' } })], 'unsupported scheme "tcp" for KMS'],
  ['KMS v1', [rule({ kms: { ...kms, apiVersion: 'v1' } })], 'KMSv1 is deprecated'],
  ['a service twice', [rule({ kms }), rule({ kms }, ['b'])], 'duplicate KMS provider name mine'],
])('refuses %s', (_, resources, message) => {
  expect(() => parse(...resources)).toThrow(message);
});

function rule(provider: object, resources = ['secrets']) {
  return { resources, providers: [provider] };
}
