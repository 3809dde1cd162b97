// All webhooks of one kind in the order in which they are asked: configurations by name, webhooks by
// position. Which of them have rules for a request depends on very little of it, so it is worked out once and
// kept.
import { matchedMapping } from '../match/matched-mapping.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { CompiledWebhook } from './webhook.ts';

/** A webhook whose rules match, and the version in which it wants to see the request. */
export interface Candidate {
  readonly webhook: CompiledWebhook;
  readonly mapping: ResourceMapping;
}

const MAX_KEPT = 10_000;
const NONE: readonly Candidate[] = [];

export class WebhookSet {
  readonly webhooks: readonly CompiledWebhook[];
  /** By the equivalents, which change only with the definition of the resource. */
  readonly #kept = new WeakMap<readonly ResourceMapping[], Map<string, readonly Candidate[]>>();

  constructor(webhooks: readonly CompiledWebhook[]) {
    this.webhooks = webhooks;
  }

  candidates(subject: AdmissionSubject): readonly Candidate[] {
    if (this.webhooks.length === 0) return NONE;
    let kept = this.#kept.get(subject.equivalents);
    if (kept === undefined) this.#kept.set(subject.equivalents, (kept = new Map()));
    const { group, version, resource } = subject.resource;
    const key = `${subject.operation} ${group}/${version}/${resource}/${subject.subresource} ${subject.namespace !== ''}`;
    let found = kept.get(key);
    if (found === undefined) {
      found = this.#match(subject);
      if (kept.size < MAX_KEPT) kept.set(key, found);
    }
    return found;
  }

  #match(subject: AdmissionSubject): readonly Candidate[] {
    return this.webhooks.flatMap((webhook) => {
      const mapping = matchedMapping(webhook.rules, webhook.matchPolicy, subject);
      return mapping === undefined ? [] : [{ webhook, mapping }];
    });
  }
}

export const NO_WEBHOOKS = new WebhookSet([]);
