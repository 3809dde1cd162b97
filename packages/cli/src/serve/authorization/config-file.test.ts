import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { expect, it } from 'vitest';
import { readAuthorizationConfig } from './config-file.ts';

const folder = temporaryFolder();
const file = join(folder, 'config.yaml');
const read = (authorizers: object[]) => {
  const config = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers,
  };
  writeFileSync(file, JSON.stringify(config));
  return readAuthorizationConfig(file);
};
const webhook = {
  timeout: '3s',
  authorizedTTL: '1m',
  unauthorizedTTL: '10s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook.yaml' },
};

it('reads authorizers in their order', async () => {
  expect(
    await read([
      { type: 'Webhook', name: 'hook', webhook },
      { type: 'RBAC', name: 'rbac' },
    ]),
  ).toEqual([
    {
      type: 'Webhook',
      kubeconfigFile: '/hook.yaml',
      version: 'v1',
      timeoutMs: 3000,
      authorizedTtlMs: 60_000,
      unauthorizedTtlMs: 10_000,
      failurePolicy: 'Deny',
    },
    { type: 'RBAC' },
  ]);
});

it.each<[string, object[], string]>([
  ['no authorizer', [], 'authorizers: Required value: at least one authorization mode must be defined'],
  [
    'a type twice',
    [
      { type: 'RBAC', name: 'a' },
      { type: 'RBAC', name: 'b' },
    ],
    'authorizers[1].type: Duplicate value: "RBAC"',
  ],
  ['an unknown type', [{ type: 'Magic', name: 'a' }], 'authorizers[0].type: Unsupported value: "Magic"'],
  ['no name', [{ type: 'RBAC' }], 'authorizers[0].name: Required value'],
  ['Node', [{ type: 'Node', name: 'a' }], 'there are no nodes here'],
  [
    'a webhook without one',
    [{ type: 'Webhook', name: 'a' }],
    'authorizers[0].webhook: Required value: required when type=Webhook',
  ],
  [
    'conditions',
    [{ type: 'Webhook', name: 'a', webhook: { ...webhook, matchConditions: [{ expression: 'true' }] } }],
    'authorizers[0].webhook.matchConditions: Forbidden: not supported by this server',
  ],
  [
    'a long timeout',
    [{ type: 'Webhook', name: 'a', webhook: { ...webhook, timeout: '31s' } }],
    'authorizers[0].webhook.timeout: Invalid value: "31s": must be > 0s and <= 30s',
  ],
])('refuses %s', async (_, authorizers, message) => {
  await expect(read(authorizers)).rejects.toThrow(message);
});

it('refuses another kind of file', async () => {
  writeFileSync(file, 'kind: Config');
  await expect(readAuthorizationConfig(file)).rejects.toThrow('it contains no AuthorizationConfiguration');
});
