import type { KubeObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import { bootstrapTokens } from './bootstrap-tokens.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const TOKEN = 'abc123.0123456789abcdef';
const GOOD = {
  'token-id': 'abc123',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
  expiration: '2026-06-01T00:00:01Z',
  'auth-extra-groups': 'system:bootstrappers:nodes,system:bootstrappers:a',
};

function authenticate(token: string, data: Record<string, string>, rest: object = {}) {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abc123' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
    ...rest,
  } as KubeObject;
  const read = (name: string) => (name === 'bootstrap-token-abc123' ? secret : undefined);
  return bootstrapTokens(read, () => NOW).authenticateToken(token, []);
}

it('is a user of the bootstrappers, in the groups of the secret', () => {
  expect(authenticate(TOKEN, GOOD)).toEqual({
    user: {
      name: 'system:bootstrap:abc123',
      uid: '',
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:a',
        'system:bootstrappers:nodes',
        'system:authenticated',
      ],
      extra: {},
    },
  });
});

it('needs no end and no groups', () => {
  const { expiration: _end, 'auth-extra-groups': _groups, ...rest } = GOOD;
  expect(authenticate(TOKEN, rest)).toMatchObject({
    user: { groups: ['system:bootstrappers', 'system:authenticated'] },
  });
});

it.each<[string, Record<string, string>, object]>([
  ['has expired', { expiration: '2026-05-31T23:59:59Z' }, {}],
  ['expires just now', { expiration: '2026-06-01T00:00:00Z' }, {}],
  ['has an end that is no time', { expiration: 'tomorrow' }, {}],
  ['is not for authentication', { 'usage-bootstrap-authentication': 'false' }, {}],
  ['has another secret', { 'token-secret': '0123456789abcdee' }, {}],
  ['has an empty secret', { 'token-secret': '' }, {}],
  ['has another id', { 'token-id': 'abc124' }, {}],
  ['gives a group of the system', { 'auth-extra-groups': 'system:masters' }, {}],
  ['gives an empty group', { 'auth-extra-groups': 'system:bootstrappers:a,' }, {}],
  ['is another sort of secret', {}, { type: 'Opaque' }],
  ['is being deleted', {}, { metadata: { name: 'x', deletionTimestamp: '2026-06-01T00:00:00Z' } }],
])('says nothing about a token whose secret %s', (_what, data, rest) => {
  expect(authenticate(TOKEN, { ...GOOD, ...data }, rest)).toBeUndefined();
});

it.each(['abc123', 'abc124.0123456789abcdef', 'ABC123.0123456789abcdef', `${TOKEN}0`, `x${TOKEN}`])(
  'says nothing about %s',
  (token) => {
    expect(authenticate(token, GOOD)).toBeUndefined();
  },
);
