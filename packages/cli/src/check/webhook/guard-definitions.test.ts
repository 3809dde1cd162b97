// The guard over the wire: our API server calls it whenever a definition changes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeClient } from '@instar/client';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { admission, serveWebhooks, type WebhookHost } from '@instar/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOW_ANNOTATION, type GuardMode, guardDefinitions } from './guard-definitions.ts';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
};
const MODES: readonly GuardMode[] = ['deny', 'warn', 'audit'];

function gadgets(plural: string, fields: readonly string[]): object {
  const properties = {
    spec: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    },
  };
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
  ];
  const names = { plural, kind: plural[0]!.toUpperCase() + plural.slice(1) };
  return {
    metadata: { name: `${plural}.foomake.io` },
    spec: { group: 'foomake.io', scope: 'Namespaced', names, versions },
  };
}

describe('instar check-webhook', () => {
  let server: EmbeddedApi;
  let host: WebhookHost;
  let client: KubeClient;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const webhooks = Object.fromEntries(
      MODES.map((mode) => [`/${mode}`, admission(guardDefinitions({ mode, failOn: 'breaking' }))]),
    );
    host = await serveWebhooks({
      webhooks,
      listen: { host: '127.0.0.1', port: 0 },
      tls: { selfManaged: { hosts: ['127.0.0.1'] } },
    });
    server = await EmbeddedApi.start();
    writeFileSync(join(folder, 'kubeconfig'), server.server.kubeconfig());
    client = server.client();
  });
  afterAll(async () => {
    await server.close();
    await host.close();
  });

  /** A definition of its own for each mode, so that the configurations do not disturb each other. */
  async function guarded(mode: GuardMode): Promise<string> {
    const plural = `${mode}s`;
    await client.create(CRDS, gadgets(plural, ['a', 'b']));
    const webhook = {
      name: `${mode}.instar.dev`,
      rules: [
        {
          apiGroups: ['apiextensions.k8s.io'],
          apiVersions: ['v1'],
          operations: ['UPDATE', 'DELETE'],
          resources: ['customresourcedefinitions'],
        },
      ],
      matchConditions: [{ name: 'own', expression: `request.name == '${plural}.foomake.io'` }],
      clientConfig: { url: `${host.url}/${mode}`, caBundle: Buffer.from(host.caBundle).toString('base64') },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    await client.create(CONFIGURATIONS, { metadata: { name: mode }, webhooks: [webhook] });
    return plural;
  }

  const change = (plural: string, patch: object) =>
    client.request({
      method: 'PATCH',
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.foomake.io`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(patch),
    });
  const textOf = (body: Uint8Array): string => Buffer.from(body).toString();

  it('refuses exactly the breaking changes that are not intended', async () => {
    const plural = await guarded('deny');
    const refused = await change(plural, gadgets(plural, ['a']));
    expect(refused.status).toBe(422);
    expect(textOf(refused.body)).toContain('v1 spec.b: field removed [field-removed]');
    expect((await change(plural, gadgets(plural, ['a', 'b', 'c']))).status).toBe(200);
    expect(
      (
        await client.request({
          method: 'DELETE',
          path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.foomake.io`,
        })
      ).status,
    ).toBe(422);
    const meant = {
      ...gadgets(plural, ['a']),
      metadata: { annotations: { [ALLOW_ANNOTATION]: 'b was never used' } },
    };
    expect((await change(plural, meant)).status).toBe(200);
  });

  it('admits a breaking change with a warning in mode warn', async () => {
    const plural = await guarded('warn');
    const { status, headers } = await change(plural, gadgets(plural, ['a']));
    expect(status).toBe(200);
    expect(String(headers['warning'])).toContain('v1 spec.b: field removed [field-removed]');
  });

  it('admits a breaking change without a warning in mode audit', async () => {
    const plural = await guarded('audit');
    const { status, headers } = await change(plural, gadgets(plural, ['a']));
    expect(status).toBe(200);
    expect(headers['warning']).toBeUndefined();
  });
});
