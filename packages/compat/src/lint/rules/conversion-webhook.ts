// A conversion webhook.
import type { VersionLintRule } from '../lint-rule.ts';

export const conversionWebhook: VersionLintRule = {
  kind: 'version',
  id: 'conversion-webhook',
  title: 'A conversion webhook',
  explanation:
    'The guidelines: API designers must not use conversion webhooks, as they are an operational nightmare: while the webhook is unreachable, the resource cannot be read. Other projects do use them.',
  instead: 'Design changes that need no conversion webhook, or convert with a lens in the controller.',
  profiles: { 'gateway-api': 'error', strict: 'info' },
  examples: [
    { title: 'a webhook', definition: { spec: { conversion: { strategy: 'Webhook' } } }, found: true },
    { title: 'none', definition: {}, found: false },
  ],
  look: ({ storage }, { spec }) =>
    storage && spec.conversion?.strategy === 'Webhook'
      ? [{ message: 'objects are converted by a webhook' }]
      : [],
};
