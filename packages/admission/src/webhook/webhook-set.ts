// All webhooks of one kind in calling order: configurations by name, webhooks by position. Which of them have
// rules for a request depends on very little of it, so the answer is cached.
import { matchedMapping } from '../match/matched-mapping.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { CompiledWebhook } from './webhook.ts';

/** A webhook whose rules match, and the version in which it wants to see the request. */
export interface WebhookMatch {
  readonly webhook: CompiledWebhook;
  readonly mapping: ResourceMapping;
  /** The position of the webhook among all of its type. */
  readonly index: number;
}

const MAX_KEPT = 10_000;
const NONE: readonly WebhookMatch[] = [];

/** All webhooks of one type in calling order, looked up by resource and operation. */
export class WebhookSet {
  readonly webhooks: readonly CompiledWebhook[];
  /** Keyed by the equivalents, which change only with the definition of the resource. */
  readonly #kept = new WeakMap<readonly ResourceMapping[], Map<string, readonly WebhookMatch[]>>();

  constructor(webhooks: readonly CompiledWebhook[]) {
    this.webhooks = webhooks;
  }

  candidates(subject: AdmissionSubject): readonly WebhookMatch[] {
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

  #match(subject: AdmissionSubject): readonly WebhookMatch[] {
    return this.webhooks.flatMap((webhook, index) => {
      const mapping = matchedMapping(webhook.rules, webhook.matchPolicy, subject);
      return mapping === undefined ? [] : [{ webhook, mapping, index }];
    });
  }
}

/** The set of a server without admission webhooks. */
export const NO_WEBHOOKS = new WebhookSet([]);
