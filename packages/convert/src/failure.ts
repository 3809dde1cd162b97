// Why an object could not be converted: typed, so that metrics, the Status and the logs agree. The text is
// upstream's.

import { quoteGo } from '@instar/go';
import { gvkOf, printGvk } from '@instar/machinery';
import type { ConversionSource } from './source.ts';

export type FailureKind =
  /** The webhook was unreachable, or the connection broke. */
  | 'call'
  | 'timeout'
  /** The webhook refused: an HTTP error, or a result other than Success. */
  | 'refused'
  /** The answer is not a ConversionReview for this request. */
  | 'malformed'
  /** More or fewer objects came back than were sent. */
  | 'partial'
  /** An object came back that is not the one sent, in the version requested. */
  | 'invalid'
  /** A lens has no rule for a value, or would have to stash too much. */
  | 'lens'
  /** The object is stored in, or requested in, a version that the definition does not have. */
  | 'unknown-version';

/**
 * kube-apiserver's failure_type. It counts HTTP errors as failed calls, and results other than Success as
 * malformed.
 */
type UpstreamFailureType =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

/** What went wrong with one call, not yet attributed to an object. */
export interface WebhookFault {
  readonly kind: FailureKind;
  readonly upstreamType: UpstreamFailureType;
  /** Upstream's text after "conversion webhook for g/v, Kind=K ". */
  readonly text: string;
  readonly http?: HttpAnswer;
  /** The webhook got the request and did not answer it: its handler crashed, or hangs. */
  readonly reached?: boolean;
}

/** An HTTP answer that is an error. */
export interface HttpAnswer {
  readonly status: number;
  /** The text that came with it. */
  readonly text: string;
}

export interface FailureDetails {
  /** The webhook's URL, if there is one. */
  readonly endpoint?: string;
  readonly http?: HttpAnswer | undefined;
  /** The webhook was unreachable, which says nothing about the object. */
  readonly isUnreachable?: boolean;
  /** How many objects were in the failed call; which of them was the cause is not known. */
  readonly objectsInCall?: number;
}

/** Why an object could not be converted, with its source and whose fault it was. */
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

  /** False if the cause may be another object in the same call. */
  get isItsOwn(): boolean {
    return (this.#details.objectsInCall ?? 1) === 1;
  }

  /** The same failure for an object for which the webhook was not called. */
  ofUnsent(source: ConversionSource): ConversionFailure {
    const message = this.isUnreachable
      ? this.message
      : `${this.message} (for other objects, and was not called for this one)`;
    return new ConversionFailure(message, this.kind, source, this.toApiVersion, {
      ...this.#details,
      isUnreachable: true,
      objectsInCall: 1,
    });
  }

  /** Upstream's text, then what it leaves out: the object, the versions, the endpoint, the HTTP status. */
  explain({ withUid }: { withUid: boolean }): string {
    const { name = '', namespace = '', uid } = this.source.metadata;
    const { endpoint = '', http, objectsInCall = 1 } = this.#details;
    const parts = [
      `${namespace === '' ? '' : `${namespace}/`}${name}`,
      ...(withUid && uid !== undefined ? [`uid ${uid}`] : []),
      ...(objectsInCall > 1 ? [`or one of the ${objectsInCall - 1} others in the same call`] : []),
      `from ${versionOf(this.source.apiVersion)} to ${versionOf(this.toApiVersion)}`,
      ...(endpoint === '' ? [] : [`by ${endpoint}`]),
      ...(http === undefined ? [] : [this.#httpText(http)]),
    ];
    return `${this.message} [converting ${parts.join(', ')}]`;
  }

  #httpText({ status, text }: HttpAnswer): string {
    const isQuoted = text === '' || this.message.includes(text);
    return isQuoted ? `HTTP ${status}` : `HTTP ${status} ${quoteGo(text.slice(0, MAX_QUOTED))}`;
  }
}

const MAX_QUOTED = 200;

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

export function failureOf(
  fault: WebhookFault,
  source: ConversionSource,
  toApiVersion: string,
  details: Pick<FailureDetails, 'endpoint' | 'objectsInCall'>,
): ConversionFailure {
  const message = `conversion webhook for ${printGvk(gvkOf(source.apiVersion, source.kind))} ${fault.text}`;
  return new ConversionFailure(message, fault.kind, source, toApiVersion, {
    ...details,
    http: fault.http,
    isUnreachable: isUnreachable(fault),
  });
}

/** Whether the outcome of a conversion is a failure. */
export const isFailure = (outcome: object): outcome is ConversionFailure =>
  outcome instanceof ConversionFailure;

/** True for faults of the transport, which say nothing about the objects sent. */
export const isUnreachable = ({ kind, reached = false }: WebhookFault): boolean =>
  (kind === 'call' || kind === 'timeout') && !reached;
