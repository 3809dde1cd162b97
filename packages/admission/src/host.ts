// What admission needs of the server around it: the network, conversion, namespaces, the authorizer.
// Everything here may be asked often.
import type { Authorize } from '@instar/cel/kubernetes';
import type { JsonValue, KubeObject } from '@instar/machinery';
import type { Labels } from './match/selectors.ts';
import type { AdmissionObserver } from './observer.ts';
import type { CompiledWebhook } from './webhook/webhook.ts';

/** One request as far as it concerns admission. */
export interface AdmissionHost {
  /** The object in another version of its resource. Rejects with an ApiError. */
  convert(object: KubeObject, toApiVersion: string): Promise<KubeObject>;
  /**
   * The outcome of a patch as an object: decoded, and filled in with defaults. Throws an Error whose text the
   * client is told.
   */
  interpret(patched: JsonValue): KubeObject;
  /** Rejects with NotFound if there is no such namespace. */
  namespaceLabels(namespace: string): Promise<Labels>;
  readonly authorize: Authorize;
  /** Sends a review and gives back the answer as parsed JSON; rejects with a CallFailure. */
  call(webhook: CompiledWebhook, review: ReviewRequest): Promise<JsonValue>;
  /** A text for a Warning header. */
  warn(text: string): void;
  /** For the audit log. */
  annotate(key: string, value: string): void;
  readonly observer: AdmissionObserver;
  newUid(): string;
  /** Milliseconds, of a clock that only goes forward. */
  now(): number;
  /** True once nobody waits for the answer any more. */
  isAborted(): boolean;
}

export interface ReviewRequest {
  /** The body, in pieces. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}
