// Reads the answer of a webhook, up to its list of objects. The objects themselves are checked by the
// metadata guard.

import { quoteGo } from '@instar/go';
import {
  type ConversionReviewApiVersion,
  gvkOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  printGvk,
} from '@instar/machinery';
import type { WebhookFault } from './failure.ts';
import { failedStatus, httpFault } from './http-fault.ts';
import { asRecord, parseReview } from './parse-review.ts';
import type { WebhookAnswer } from './webhook-call.ts';

export interface Expected {
  readonly uid: string;
  readonly apiVersion: ConversionReviewApiVersion;
  readonly count: number;
}

const KIND = 'ConversionReview';
const SCHEME = '"k8s.io/apiserver/pkg/util/webhook/client.go:71"';
const GO_TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The converted objects of a ConversionReview, or what is wrong with it. */
export function readReview(
  answer: WebhookAnswer,
  expected: Expected,
): { readonly objects: readonly JsonValue[] } | WebhookFault {
  const refused = httpFault(answer);
  if (refused !== undefined) return refused;
  const decoded = decode(answer, expected.apiVersion);
  return 'review' in decoded ? objectsOf(decoded.review, expected) : decoded;
}

/** Upstream counts what it could not decode as a failed call. */
const undecodable = (why: string): WebhookFault => ({
  kind: 'malformed',
  upstreamType: 'conversion_webhook_call_failure',
  text: `failed: ${why}`,
});

const malformed = (why: string, kind: 'malformed' | 'refused' = 'malformed'): WebhookFault => ({
  kind,
  upstreamType: 'conversion_webhook_malformed_response_failure',
  text: `failed: ${why}`,
});

function decode(
  { body, status, contentType }: WebhookAnswer,
  asked: ConversionReviewApiVersion,
): { review: JsonObject } | WebhookFault {
  if (body === '')
    return undecodable(`0-length response with status code: ${status} and content type: ${contentType}`);
  const parsed = parseReview(body);
  if ('fault' in parsed) return undecodable(parsed.fault);
  const { value } = parsed;
  if (value === null) return { review: {} };
  if (!isJsonObject(value)) {
    const why = `cannot unmarshal ${goName(value)} into Go value of type ${GO_TYPE_META}`;
    return undecodable(`couldn't get version/kind; json parse error: json: ${why}`);
  }
  const failed = failedStatus(value);
  if (failed !== undefined) return { ...undecodable(failed), kind: 'refused' };
  const fault = typeFault(value, asked);
  return fault === undefined ? { review: value } : undecodable(fault);
}

const goName = (value: JsonValue): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** A missing type is treated as the one asked for, at this point. */
function typeFault(value: JsonObject, asked: ConversionReviewApiVersion): string | undefined {
  const { apiVersion = '', kind = '' } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    return "couldn't get version/kind; json parse error: json: cannot unmarshal apiVersion or kind into Go value of type string";
  }
  const isKnown = apiVersion === 'apiextensions.k8s.io/v1' || apiVersion === 'apiextensions.k8s.io/v1beta1';
  if ((kind !== '' && kind !== KIND) || (apiVersion !== '' && !isKnown)) {
    return `no kind ${quoteGo(kind === '' ? KIND : kind)} is registered for version ${quoteGo(apiVersion === '' ? asked : apiVersion)} in scheme ${SCHEME}`;
  }
  if (apiVersion === '' || apiVersion === asked) return undefined;
  return `converting (${versionOf(apiVersion)}.${KIND}) to (${versionOf(asked)}.${KIND}): unknown conversion`;
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

function objectsOf(
  review: JsonObject,
  { uid, apiVersion, count }: Expected,
): { objects: readonly JsonValue[] } | WebhookFault {
  const { apiVersion: saidVersion = '', kind: saidKind = '' } = review as {
    apiVersion?: string;
    kind?: string;
  };
  // v1beta1 has never checked type and uid.
  const isStrict = apiVersion === 'apiextensions.k8s.io/v1';
  if (isStrict && (saidVersion !== apiVersion || saidKind !== KIND)) {
    const said = printGvk(gvkOf(saidVersion, saidKind));
    return malformed(`expected webhook response of ${printGvk(gvkOf(apiVersion, KIND))}, got ${said}`);
  }
  const response = asRecord(review['response']);
  if (response === undefined) return malformed('no response provided');
  const { uid: saidUid = '' } = response;
  if (isStrict && saidUid !== uid)
    return malformed(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(String(saidUid))}`);
  const result = asRecord(response['result']) ?? {};
  if (result['status'] !== 'Success') return malformed(refusal(result), 'refused');
  return countedObjects(response['convertedObjects'] ?? [], count);
}

function refusal({ status = '', message }: JsonObject): string {
  if (typeof message === 'string' && message !== '') return message;
  return `response.result.status was '${String(status)}', not 'Success'`;
}

function countedObjects(objects: JsonValue, count: number): { objects: readonly JsonValue[] } | WebhookFault {
  if (!Array.isArray(objects))
    return undecodable(
      'json: cannot unmarshal convertedObjects into Go value of type []runtime.RawExtension',
    );
  if (objects.length === count) return { objects };
  return {
    kind: 'partial',
    upstreamType: 'conversion_webhook_partial_response_failure',
    text: `returned ${objects.length} objects, expected ${count}`,
  };
}
