// How objects are converted between versions.
import { deepEqual, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Change, DefinitionRule } from '../rule.ts';

const WEBHOOK = {
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.org/convert' } },
};

function version(name: string, more: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return { name, served: true, storage: true, schema, ...more };
}

export const conversion: DefinitionRule = {
  kind: 'definition',
  id: 'conversion',
  title: 'The conversion between versions changed',
  severity: 'breaking',
  breaks: ['readers', 'writers', 'stored objects'],
  keywords: ['spec.conversion'],
  explanation:
    'Without a webhook the API server changes only the apiVersion: fields that have another name in the other version are dropped. With a webhook, every read of another version depends on the webhook. What one version can hold of another is compared for each pair of served versions.',
  instead: 'Remove a webhook only when one version is left or all versions have the same schema.',
  examples: [
    {
      title: 'no longer converted',
      old: { spec: { conversion: WEBHOOK } },
      new: { spec: { versions: [version('v1'), version('v2', { storage: false })] } },
      severity: 'breaking',
    },
    {
      title: 'no longer converted, with one version left',
      old: { spec: { conversion: WEBHOOK } },
      new: {},
      severity: 'safe',
    },
    { title: 'converted by a webhook', old: {}, new: { spec: { conversion: WEBHOOK } }, severity: 'caution' },
    {
      title: 'the webhook has another URL',
      old: { spec: { conversion: WEBHOOK } },
      new: {
        spec: {
          conversion: {
            ...WEBHOOK,
            webhook: { ...WEBHOOK.webhook, clientConfig: { url: 'https://example.com/convert' } },
          },
        },
      },
      severity: 'safe',
    },
  ],
  compare: ({ spec: { conversion: was } }, { spec: { conversion: is, versions } }): Change[] => {
    if (was?.strategy === 'Webhook' && is?.strategy !== 'Webhook') {
      if (versions.length === 1)
        return [
          { severity: 'safe', message: 'objects are no longer converted: one version is left', breaks: [] },
        ];
      return [
        {
          severity: 'breaking',
          message: 'objects are no longer converted: other versions lose fields that have other names there',
        },
      ];
    }
    if (was?.strategy !== 'Webhook' && is?.strategy === 'Webhook') {
      return [
        {
          severity: 'caution',
          message:
            'objects are now converted by a webhook: it must be available whenever another version is read',
          breaks: ['operators'],
          instead: 'Run it with several replicas, and check with --webhook or --lens what it loses.',
        },
      ];
    }
    const isSame = deepEqual(was as JsonValue | undefined, is as JsonValue | undefined);
    return isSame
      ? []
      : [{ severity: 'safe', message: 'settings of the conversion webhook changed', breaks: [] }];
  },
};
