// What admission needs from the server: the network, conversion, namespaces, the authorizer. Everything here
// may be called often.
import type { Authorize } from '@instar/cel/kubernetes';
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { Labels } from './match/selectors.ts';
import type { AdmissionObserver } from './observer.ts';
import type { CompiledWebhook } from './webhook/webhook.ts';

/** One request, as far as it concerns admission. */
export interface AdmissionHost {
  /** The object in another version of its resource. Rejects with an ApiError. */
  convert(object: KubeObject, toApiVersion: string): Promise<KubeObject>;
  /**
   * The result of a patch as an object: decoded and defaulted. Throws an Error whose text is sent to the
   * client; with `strict` also for fields that its type does not have.
   */
  interpret(patched: JsonValue, options?: { readonly strict: boolean }): KubeObject;
  /**
   * An object with an apply configuration merged into it, both of the same kind and version. Throws an Error
   * whose text is sent to the client.
   */
  applyConfiguration(object: KubeObject, configuration: JsonObject): JsonObject;
  /** Rejects with NotFound if the namespace does not exist. */
  namespaceLabels(namespace: string): Promise<Labels>;
  readonly authorize: Authorize;
  /** Sends a review and returns the answer as parsed JSON; rejects with a CallFailure. */
  call(webhook: CompiledWebhook, review: ReviewRequest): Promise<JsonValue>;
  /** A text for a Warning header. */
  warn(text: string): void;
  /** For the audit log. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** True if the audit log has the bodies of requests, and thus the patches of webhooks. */
  readonly auditsBodies: boolean;
  readonly observer: AdmissionObserver;
  newUid(): string;
  /** Milliseconds, from a monotonic clock. */
  now(): number;
  /** True once the client no longer waits for the answer. */
  isAborted(): boolean;
}

/** A call of a webhook: the body of the AdmissionReview and how long the answer may take. */
export interface ReviewRequest {
  /** The body, in pieces. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}
