// The facts about a cluster that decide its phase. Plain data: read-facts.ts collects it, report.ts judges
// it.
import type { LabellerRecord } from '../labeller/record.ts';
import type { SnapshotResource } from '../resources.ts';

export interface DefinitionFacts {
  readonly kind: SnapshotResource['kind'];
  readonly served: readonly string[];
  /** The storage version; empty if the definition is not installed. */
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
  /** `volumesnapshots`, … in `v1`, …: what it matches on create and update. */
  readonly covers: readonly string[];
}

export interface ObjectFacts {
  readonly kind: SnapshotResource['kind'];
  readonly total: number;
  readonly invalid: number;
  readonly labeled: number;
  /** Some of the invalid objects, as `namespace/name: what is wrong`. */
  readonly examples: readonly string[];
}

export interface LabellerFacts {
  /** The holder of the lease; empty if there is none. */
  readonly leader: string;
  readonly renewedAt?: number;
  readonly leaseSeconds: number;
  readonly record?: LabellerRecord;
}

export interface ClusterFacts {
  readonly now: number;
  readonly definitions: readonly DefinitionFacts[];
  readonly webhooks: readonly WebhookFacts[];
  /** The result of a dry run with an invalid snapshot: refused by a webhook, accepted, or something else. */
  readonly probe: { readonly outcome: 'refused' | 'accepted' | 'unknown'; readonly message: string };
  readonly objects: readonly ObjectFacts[];
  /** Absent if there is neither a lease nor a record. */
  readonly labeller?: LabellerFacts;
}
