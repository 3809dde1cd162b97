import {
  apiErrors,
  applyJsonPatch,
  type JsonObject,
  type JsonPatchOperation,
  type KubeObject,
} from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import type { CertificateApi } from '../options.ts';
import { inject, injectionPatch } from './inject.ts';

const configuration = (webhooks: readonly object[]): JsonObject =>
  ({ metadata: { name: 'c', resourceVersion: '1' }, webhooks }) as unknown as JsonObject;
const webhook = (name: string, caBundle?: string): object => ({
  name,
  clientConfig: { url: 'https://x', ...(caBundle && { caBundle }) },
});

describe('an injection', () => {
  it('changes every webhook of a configuration unless some are named', () => {
    const object = configuration([webhook('a'), webhook('b', 'old'), webhook('c', 'new')]);
    expect(injectionPatch({ validatingWebhookConfiguration: 'c' }, object, 'new')).toEqual([
      { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: 'new' },
      { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value: 'new' },
    ]);
    expect(
      injectionPatch({ mutatingWebhookConfiguration: 'c', webhooks: ['b'] }, object, 'new'),
    ).toHaveLength(1);
  });

  it('changes the conversion webhook of a definition', () => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://x' } } };
    expect(injectionPatch({ customResourceDefinition: 'x' }, { spec: { conversion } }, 'new')).toEqual([
      { op: 'add', path: '/spec/conversion/webhook/clientConfig/caBundle', value: 'new' },
    ]);
  });

  it('fails if there is no such webhook', () => {
    const patched = (target: object, object: JsonObject) => () =>
      injectionPatch(target as never, object, 'new');
    expect(
      patched({ customResourceDefinition: 'x' }, { spec: { conversion: { strategy: 'None' } } }),
    ).toThrow(
      'customresourcedefinition/x has no conversion webhook: set spec.conversion.strategy to Webhook first',
    );
    expect(patched({ validatingWebhookConfiguration: 'c' }, configuration([]))).toThrow(
      'validatingwebhookconfiguration/c has no webhook at all',
    );
    expect(
      patched({ mutatingWebhookConfiguration: 'c', webhooks: ['z'] }, configuration([webhook('a')])),
    ).toThrow('has no webhook z');
  });
});

describe('a write', () => {
  /** Changes the object under the hands of the writer, so often. */
  function contested(conflicts: number): CertificateApi & { object: JsonObject } {
    let left = conflicts;
    const api = {
      object: configuration([webhook('a')]),
      get: async () => api.object as unknown as KubeObject,
      patch: async (_ref: unknown, operations: unknown) => {
        if (left-- > 0)
          throw apiErrors.conflict({ group: '', resource: 'x' }, 'c', 'the object has been modified');
        api.object = applyJsonPatch(api.object, operations as JsonPatchOperation[]) as JsonObject;
        return api.object as unknown as KubeObject;
      },
      create: async () => expect.unreachable(),
    };
    return api as unknown as CertificateApi & { object: JsonObject };
  }

  it('is retried after a conflict', async () => {
    const api = contested(3);
    expect(await inject(api, { validatingWebhookConfiguration: 'c' }, 'PEM')).toBe('written');
    const caBundle = Buffer.from('PEM').toString('base64');
    expect(api.object['webhooks']).toEqual([{ name: 'a', clientConfig: { url: 'https://x', caBundle } }]);
    expect(await inject(api, { validatingWebhookConfiguration: 'c' }, 'PEM')).toBe('unchanged');
  });

  it('fails after too many conflicts', async () => {
    await expect(inject(contested(100), { validatingWebhookConfiguration: 'c' }, 'PEM')).rejects.toThrow(
      'the object has been modified',
    );
  });
});
