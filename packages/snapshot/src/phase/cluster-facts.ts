// What must be known of a cluster to tell its phase. Plain data: read-facts.ts collects it, report.ts judges
// it.
import type { LabellerRecord } from '../labeller/record.ts';
import type { SnapshotResource } from '../resources.ts';

export interface DefinitionFacts {
  readonly kind: SnapshotResource['kind'];
  readonly served: readonly string[];
  /** The version in which objects are stored; empty if the definition is not installed. */
  readonly storage: string;
  readonly storedVersions: readonly string[];
}

export interface WebhookFacts {
  /** The ValidatingWebhookConfiguration, and the webhook in it. */
  readonly configuration: string;
  readonly webhook: string;
  readonly failurePolicy: string;
  readonly timeoutSeconds: number;
  readonly hasCaBundle: boolean;
  /** `volumesnapshots`, … in `v1`, …: what it is asked about on create and update. */
  readonly covers: readonly string[];
}

export interface ObjectFacts {
  readonly kind: SnapshotResource['kind'];
  readonly total: number;
  readonly invalid: number;
  readonly labeled: number;
  /** Some of the invalid ones, as `namespace/name: what is wrong`. */
  readonly examples: readonly string[];
}

export interface LabellerFacts {
  /** Who holds the lease; empty if nobody does. */
  readonly leader: string;
  readonly renewedAt?: number;
  readonly leaseSeconds: number;
  readonly record?: LabellerRecord;
}

export interface ClusterFacts {
  readonly now: number;
  readonly definitions: readonly DefinitionFacts[];
  readonly webhooks: readonly WebhookFacts[];
  /** What a dry run of an invalid snapshot was answered: refused by a webhook, taken, or something else. */
  readonly probe: { readonly outcome: 'refused' | 'accepted' | 'unknown'; readonly message: string };
  readonly objects: readonly ObjectFacts[];
  /** Absent if there is neither a lease nor a record. */
  readonly labeller?: LabellerFacts;
}
