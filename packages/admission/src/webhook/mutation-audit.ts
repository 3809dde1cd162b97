// What the audit log says of a call of a mutating webhook: whether it has changed the object, and how.
import { encodeJson, parseJson } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import { positionKey, type WebhookPosition } from './invocation.ts';
import type { CompiledWebhook } from './webhook.ts';

export class MutationAudit {
  readonly #names: { readonly configuration: string; readonly webhook: string };
  readonly #key: string;
  readonly #host: Pick<AdmissionHost, 'annotate' | 'auditsBodies'>;
  #mutated = false;

  constructor(
    { configuration, name }: CompiledWebhook,
    position: WebhookPosition,
    host: Pick<AdmissionHost, 'annotate' | 'auditsBodies'>,
  ) {
    this.#names = { configuration, webhook: name };
    this.#key = positionKey(position);
    this.#host = host;
  }

  /** `patch`: the text of a JSON Patch. */
  patched(patch: string, mutated: boolean): void {
    this.#mutated = mutated;
    if (!this.#host.auditsBodies) return;
    const value = encodeJson({ ...this.#names, patch: parseJson(patch).value, patchType: 'JSONPatch' });
    this.#host.annotate(`patch.${this.#key}`, value);
  }

  /** Also if the call has failed. */
  report(): void {
    const value = encodeJson({ ...this.#names, mutated: this.#mutated });
    this.#host.annotate(`mutation.${this.#key}`, value);
  }
}
