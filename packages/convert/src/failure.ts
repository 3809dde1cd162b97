// Why an object could not be converted: typed, so that metrics, the Status and the logs all say the same. The
// text is upstream's.

import { quoteGo } from '@instar/go';
import { gvkOf, printGvk } from '@instar/machinery';
import type { ConversionSource } from './source.ts';

export type FailureKind =
  /** The webhook could not be reached, or the connection broke. */
  | 'call'
  | 'timeout'
  /** The webhook answered that it would not: an HTTP error, or a result that is no success. */
  | 'refused'
  /** What came back is no ConversionReview that answers the request. */
  | 'malformed'
  /** More or fewer objects came back than were sent. */
  | 'partial'
  /** An object came back that is not the one that was sent, in the version that was asked for. */
  | 'invalid'
  /** A lens has no rule for a value, or would have to keep too much aside. */
  | 'lens'
  /** The object is stored in a version, or wanted in one, that the definition does not have. */
  | 'unknown-version';

/**
 * kube-apiserver's failure_type. It counts HTTP errors as failed calls, and results that are no success as
 * malformed.
 */
export type UpstreamFailureType =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

/** What went wrong with one call, before it is known of which object it is told. */
export interface Fault {
  readonly kind: FailureKind;
  readonly upstreamType: UpstreamFailureType;
  /** Upstream's text after "conversion webhook for g/v, Kind=K ". */
  readonly text: string;
  readonly http?: HttpAnswer;
  /**
   * The webhook got the request, and did not answer it: a handler that ended badly does that, or one that
   * does not end.
   */
  readonly reached?: boolean;
}

/** How the webhook answered, where that was no success. */
export interface HttpAnswer {
  readonly status: number;
  /** The text that came with it. */
  readonly text: string;
}

export interface FailureDetails {
  /** The webhook's URL, as far as there is one. */
  readonly endpoint?: string;
  readonly http?: HttpAnswer | undefined;
  /** The webhook could not be reached, which says nothing about the object. */
  readonly isUnreachable?: boolean;
  /** So many objects were in the call that failed; which of them was the reason is not known. */
  readonly together?: number;
}

export class ConversionFailure extends Error {
  override readonly name = 'ConversionFailure';
  readonly kind: FailureKind;
  readonly source: ConversionSource;
  readonly toApiVersion: string;
  readonly #details: FailureDetails;

  constructor(
    message: string,
    kind: FailureKind,
    source: ConversionSource,
    toApiVersion: string,
    details: FailureDetails = {},
  ) {
    super(message);
    this.kind = kind;
    this.source = source;
    this.toApiVersion = toApiVersion;
    this.#details = details;
  }

  get isUnreachable(): boolean {
    return this.#details.isUnreachable === true;
  }

  /** False if the reason may be another object that was in the same call. */
  get isItsOwn(): boolean {
    return (this.#details.together ?? 1) === 1;
  }

  /** Told of another object, for which the webhook was not called any more. */
  ofUnsent(source: ConversionSource): ConversionFailure {
    const message = this.isUnreachable
      ? this.message
      : `${this.message} (for other objects, and was not called for this one)`;
    return new ConversionFailure(message, this.kind, source, this.toApiVersion, {
      ...this.#details,
      isUnreachable: true,
      together: 1,
    });
  }

  /**
   * Upstream's text, then what it leaves out: which object, from and to which version, by which endpoint,
   * with which HTTP code.
   */
  explain({ withUid }: { withUid: boolean }): string {
    const { name = '', namespace = '', uid } = this.source.metadata;
    const { endpoint = '', http, together = 1 } = this.#details;
    const parts = [
      `${namespace === '' ? '' : `${namespace}/`}${name}`,
      ...(withUid && uid !== undefined ? [`uid ${uid}`] : []),
      ...(together > 1 ? [`or one of the ${together - 1} others in the same call`] : []),
      `from ${versionOf(this.source.apiVersion)} to ${versionOf(this.toApiVersion)}`,
      ...(endpoint === '' ? [] : [`by ${endpoint}`]),
      ...(http === undefined ? [] : [this.#httpText(http)]),
    ];
    return `${this.message} [converting ${parts.join(', ')}]`;
  }

  #httpText({ status, text }: HttpAnswer): string {
    const isTold = text === '' || this.message.includes(text);
    return isTold ? `HTTP ${status}` : `HTTP ${status} ${quoteGo(text.slice(0, MAX_TOLD))}`;
  }
}

const MAX_TOLD = 200;

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

export function failureOf(
  fault: Fault,
  source: ConversionSource,
  toApiVersion: string,
  details: Pick<FailureDetails, 'endpoint' | 'together'>,
): ConversionFailure {
  const message = `conversion webhook for ${printGvk(gvkOf(source.apiVersion, source.kind))} ${fault.text}`;
  return new ConversionFailure(message, fault.kind, source, toApiVersion, {
    ...details,
    http: fault.http,
    isUnreachable: isUnreachable(fault),
  });
}

export const isFailure = (outcome: object): outcome is ConversionFailure =>
  outcome instanceof ConversionFailure;

/** Faults of the way to the webhook, which say nothing about the objects that were sent. */
export const isUnreachable = ({ kind, reached = false }: Fault): boolean =>
  (kind === 'call' || kind === 'timeout') && !reached;
