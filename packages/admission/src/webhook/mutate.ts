// Mutating webhooks: asked one after the other, each with the work of those before; some are asked once more
// when a later one has changed the object. The object goes from version to version as the webhooks want it,
// and comes back in that of the request.
import { type GroupVersionKind, type KubeObject, printApiVersion } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { AdmissionSubject } from '../subject.ts';
import { inVersion, sameKind, type VersionedObject } from '../versioned-object.ts';
import { applyVerdict } from './apply-patch.ts';
import { orInternalError } from './failures.ts';
import { ask, isWanted, type Request, underPolicy } from './invocation.ts';
import { Reinvocation } from './reinvocation.ts';
import type { Candidate, WebhookSet } from './webhook-set.ts';

/**
 * The object that goes on, in the version of the request; undefined for what has none (a delete). Throws an
 * ApiError to refuse.
 */
export async function mutate(
  webhooks: WebhookSet,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: AdmissionHost,
): Promise<KubeObject | undefined> {
  const candidates = webhooks.candidates(subject);
  if (candidates.length === 0) return object;
  const reinvocation = new Reinvocation();
  const request: Request = { subject, type: 'admit', host };
  let current = await new Round(request, object).run(candidates, reinvocation);
  if (reinvocation.startSecondRound())
    current = await new Round(request, current).run(candidates, reinvocation);
  return current;
}

class Round {
  readonly #request: Request;
  /** As the round began with it, in the version of the request. */
  readonly #given: KubeObject | undefined;
  #versioned: VersionedObject | undefined;
  #isDirty = false;

  constructor(request: Request, given: KubeObject | undefined) {
    this.#request = request;
    this.#given = given;
  }

  async run(candidates: readonly Candidate[], reinvocation: Reinvocation): Promise<KubeObject | undefined> {
    for (const candidate of candidates) {
      const object = this.#versioned === undefined ? this.#given : this.#versioned.object;
      if (!(await isWanted(candidate, object, () => this.#in(candidate.mapping.kind), this.#request)))
        continue;
      const { id, reinvokes } = candidate.webhook;
      if (!reinvocation.admits(id)) continue;
      const changed = (await underPolicy(candidate, this.#request, () => this.#invoke(candidate))) ?? false;
      reinvocation.asked(id, { changed, reinvokes });
    }
    return this.#result();
  }

  /** True if the webhook has changed the object. */
  async #invoke(candidate: Candidate): Promise<boolean> {
    const versioned = await this.#in(candidate.mapping.kind);
    const verdict = await ask(candidate, versioned, this.#request);
    const patched = applyVerdict(candidate.webhook.name, verdict, versioned, this.#request.host);
    if (patched === undefined) return false;
    this.#versioned = versioned.withObject(patched.object);
    this.#isDirty = true;
    return patched.changed;
  }

  async #in(kind: GroupVersionKind): Promise<VersionedObject> {
    const { subject, host } = this.#request;
    const current = this.#versioned;
    if (current !== undefined && sameKind(current.kind, kind)) return current;
    const isChanged = current !== undefined && this.#isDirty;
    const [object, from] = isChanged ? [current.object, current.kind] : [this.#given, subject.kind];
    // Upstream says twice that the error is internal.
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
