// Which webhooks of a configuration are called for snapshots. Found by their rules: names differ between
// installations. Pure.
import type { KubeObject } from '@instar/machinery';
import { SNAPSHOT_GROUP, SNAPSHOT_RESOURCES, SNAPSHOT_VERSIONS } from '../resources.ts';
import type { WebhookFacts } from './cluster-facts.ts';

interface WebhookRule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
}

interface ValidatingWebhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly timeoutSeconds?: number;
  readonly matchPolicy?: string;
  readonly clientConfig?: { readonly caBundle?: string };
  readonly rules?: readonly WebhookRule[];
}

export type WebhookConfiguration = KubeObject & { readonly webhooks?: readonly ValidatingWebhook[] };

export function webhookFactsOf({ metadata, webhooks = [] }: WebhookConfiguration): WebhookFacts[] {
  return webhooks.flatMap((webhook) => {
    const covers = coveredBy(webhook);
    if (covers.length === 0) return [];
    return [
      {
        configuration: metadata.name!,
        webhook: webhook.name,
        failurePolicy: webhook.failurePolicy ?? 'Fail',
        timeoutSeconds: webhook.timeoutSeconds ?? 10,
        hasCaBundle: (webhook.clientConfig?.caBundle ?? '') !== '',
        covers,
      },
    ];
  });
}

/**
 * With matchPolicy Equivalent, the default, one version in the rules covers all. Only webhooks that name the
 * group count.
 */
function coveredBy({ rules = [], matchPolicy }: ValidatingWebhook): string[] {
  return SNAPSHOT_RESOURCES.flatMap(({ resource }) => {
    const ours = rules.filter(
      (rule) => rule.apiGroups?.includes(SNAPSHOT_GROUP) && has(rule.resources, resource) && onWrites(rule),
    );
    const versions = SNAPSHOT_VERSIONS.filter((version) =>
      ours.some((rule) => has(rule.apiVersions, version)),
    );
    const covered = versions.length > 0 && matchPolicy !== 'Exact' ? SNAPSHOT_VERSIONS : versions;
    return covered.map((version) => `${resource} ${version}`);
  });
}

const has = (list: readonly string[] | undefined, item: string): boolean =>
  (list ?? []).some((one) => one === item || one === '*');
const onWrites = ({ operations }: WebhookRule): boolean =>
  has(operations, 'CREATE') && has(operations, 'UPDATE');
