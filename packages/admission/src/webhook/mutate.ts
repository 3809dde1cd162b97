// Mutating webhooks: called in order, each with the changes of those before; in the second round only those
// that are reinvoked. The object is converted to the version each webhook wants, and in the end back
// to that of the request.
import { type GroupVersionKind, type KubeObject, printApiVersion } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { Reinvocation } from '../reinvocation.ts';
import type { AdmissionSubject } from '../subject.ts';
import { inVersion, sameKind, type VersionedObject } from '../versioned-object.ts';
import { applyVerdict } from './apply-patch.ts';
import { orInternalError } from './failures.ts';
import { callWebhook, type InvocationContext, shouldCall, withFailurePolicy } from './invocation.ts';
import { MutationAudit } from './mutation-audit.ts';
import type { WebhookMatch, WebhookSet } from './webhook-set.ts';

/**
 * The resulting object, in the version of the request; undefined if there is none (a delete). Throws an
 * ApiError to deny.
 */
export async function mutate(
  webhooks: WebhookSet,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: AdmissionHost,
  reinvocation: Reinvocation,
): Promise<KubeObject | undefined> {
  const candidates = webhooks.candidates(subject);
  if (candidates.length === 0) return object;
  const request: InvocationContext = { subject, type: 'admit', host };
  reinvocation.webhooks.start(object);
  const round = new Round(request, object, reinvocation.isSecondRound ? 1 : 0);
  const result = await round.run(candidates, reinvocation);
  reinvocation.webhooks.end(result);
  return result;
}

class Round {
  readonly #request: InvocationContext;
  /** The object at the start of the round, in the version of the request. */
  readonly #given: KubeObject | undefined;
  readonly #round: 0 | 1;
  #versioned: VersionedObject | undefined;
  #isDirty = false;

  constructor(request: InvocationContext, given: KubeObject | undefined, round: 0 | 1) {
    this.#request = request;
    this.#given = given;
    this.#round = round;
  }

  async run(
    candidates: readonly WebhookMatch[],
    { webhooks }: Reinvocation,
  ): Promise<KubeObject | undefined> {
    for (const candidate of candidates) {
      const object = this.#versioned === undefined ? this.#given : this.#versioned.object;
      if (!(await shouldCall(candidate, object, () => this.#in(candidate.mapping.kind), this.#request)))
        continue;
      const { id, reinvokes } = candidate.webhook;
      if (!webhooks.admits(id)) continue;
      const position = { round: this.#round, index: candidate.index };
      const audit = new MutationAudit(candidate.webhook, position, this.#request.host);
      const changed =
        (await withFailurePolicy(candidate, this.#request, position, () =>
          this.#invoke(candidate, audit).finally(() => audit.report()),
        )) ?? false;
      webhooks.invoked(id, { changed, reinvokes });
    }
    return this.#result();
  }

  /** True if the webhook has changed the object. */
  async #invoke(candidate: WebhookMatch, audit: MutationAudit): Promise<boolean> {
    const versioned = await this.#in(candidate.mapping.kind);
    const verdict = await callWebhook(candidate, versioned, this.#request);
    const patched = applyVerdict(candidate.webhook.name, verdict, versioned, this.#request.host);
    if (patched === undefined) return false;
    this.#versioned = versioned.withObject(patched.object);
    this.#isDirty = true;
    audit.patched(verdict.patch, patched.changed);
    return patched.changed;
  }

  async #in(kind: GroupVersionKind): Promise<VersionedObject> {
    const { subject, host } = this.#request;
    const current = this.#versioned;
    if (current !== undefined && sameKind(current.kind, kind)) return current;
    const isChanged = current !== undefined && this.#isDirty;
    const [object, from] = isChanged ? [current.object, current.kind] : [this.#given, subject.kind];
    // Upstream wraps the error as internal twice.
    this.#versioned = await orInternalError(orInternalError(inVersion(kind, subject, object, from, host)));
    return this.#versioned;
  }

  async #result(): Promise<KubeObject | undefined> {
    const { subject, host } = this.#request;
    const object = this.#isDirty ? this.#versioned?.object : undefined;
    if (object === undefined) return this.#given;
    const apiVersion = printApiVersion(subject.kind);
    return object.apiVersion === apiVersion ? object : host.convert(object, apiVersion);
  }
}
