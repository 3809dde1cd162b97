// How objects get from one version to another.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { Change, DefinitionRule } from '../rule.ts';

const WEBHOOK = {
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.org/convert' } },
};

export const conversion: DefinitionRule = {
  kind: 'definition',
  id: 'conversion',
  title: 'The conversion between versions changed',
  severity: 'breaking',
  breaks: ['readers', 'writers', 'stored objects'],
  keywords: ['spec.conversion'],
  explanation:
    'Without a webhook the API server changes nothing but the apiVersion: whatever the other version calls otherwise is dropped. With a webhook, every read of another version depends on it being up. Which versions hold what of each other is compared as pairs of served versions.',
  instead: 'Remove a webhook only when one version is left, or all have the same schema.',
  examples: [
    { title: 'no longer converted', old: { spec: { conversion: WEBHOOK } }, new: {}, severity: 'breaking' },
    { title: 'converted by a webhook', old: {}, new: { spec: { conversion: WEBHOOK } }, severity: 'caution' },
    {
      title: 'the webhook is elsewhere',
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
  compare: ({ spec: { conversion: was } }, { spec: { conversion: is } }): Change[] => {
    if (was?.strategy === 'Webhook' && is?.strategy !== 'Webhook') {
      return [
        {
          severity: 'breaking',
          message: 'objects are no longer converted: other versions lose what they call otherwise',
        },
      ];
    }
    if (was?.strategy !== 'Webhook' && is?.strategy === 'Webhook') {
      return [
        {
          severity: 'caution',
          message: 'objects are converted by a webhook now: it must be up whenever another version is read',
          breaks: ['operators'],
          instead: 'Run it with several replicas, and see with --webhook or --lens what it loses.',
        },
      ];
    }
    const isSame = deepEqual(was as JsonValue | undefined, is as JsonValue | undefined);
    return isSame
      ? []
      : [{ severity: 'safe', message: 'settings of the conversion webhook changed', breaks: [] }];
  },
};
