// The answer of a webhook, decoded and checked as upstream does it. v1beta1 has never checked the uid, the
// type and the patchType.

import { quoteGo } from '@instar/go';
import { gvkOf, isJsonObject, type JsonObject, type JsonValue, printGvk } from '@instar/machinery';
import { CallFailure } from './failures.ts';
import { type DecodedResponse, decodeResponse } from './response-fields.ts';
import type { ReviewVersion } from './webhook.ts';

const KIND = 'AdmissionReview';
const SCHEME = '"k8s.io/apiserver/pkg/util/webhook/client.go:71"';
const GO_TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export interface AdmissionVerdict {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** A JSON Patch as text; empty if there is none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

export interface Expected {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly mutating: boolean;
}

/** Throws CallFailure. */
export function readVerdict(answer: JsonValue, expected: Expected): AdmissionVerdict {
  const review = decodeReview(answer, expected.version);
  const raw = review['response'] ?? null;
  const response = raw === null ? undefined : decodeResponse(raw);
  if (response !== undefined && 'fault' in response) throw undecodable(response.fault);
  if (response === undefined) throw invalid('webhook response was absent');
  return expected.version === 'admission.k8s.io/v1'
    ? verdictV1(review, response, expected)
    : verdictV1beta1(response, expected);
}

const undecodable = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`);
const invalid = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`);

function verdictV1(
  review: JsonObject,
  response: DecodedResponse,
  { uid, version, mutating }: Expected,
): AdmissionVerdict {
  if (response.uid !== uid)
    throw invalid(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(response.uid)}`);
  const { apiVersion = '', kind = '' } = review as { apiVersion?: string; kind?: string };
  if (apiVersion !== version || kind !== KIND) {
    throw invalid(
      `expected webhook response of ${printGvk(gvkOf(version, KIND))}, got ${printGvk(gvkOf(apiVersion, kind))}`,
    );
  }
  const { patch, patchType } = response;
  if (!mutating) {
    if (patch !== '') throw invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
  } else {
    if (patch !== '' && patchType === undefined)
      throw invalid('webhook returned response.patch but not response.patchType');
    if (patch === '' && patchType !== undefined)
      throw invalid('webhook returned response.patchType but not response.patch');
    if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
  }
  return { ...response, patchType: patchType ?? '' };
}

function verdictV1beta1(response: DecodedResponse, { mutating }: Expected): AdmissionVerdict {
  const patch = mutating ? response.patch : '';
  return { ...response, patch, patchType: patch === '' ? '' : 'JSONPatch' };
}

function decodeReview(value: JsonValue, asked: ReviewVersion): JsonObject {
  if (value === null) return {};
  if (!isJsonObject(value)) {
    const name = Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'string'
          ? 'string'
          : 'number';
    throw undecodable(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${name} into Go value of type ${GO_TYPE_META}`,
    );
  }
  const refused = failedStatus(value);
  if (refused !== undefined) throw undecodable(refused);
  const fault = typeFault(value, asked);
  if (fault !== undefined) throw undecodable(fault);
  return value;
}

/** A Status other than Success is an error, even in an answer with HTTP 200. */
function failedStatus({ kind, apiVersion, status, message, reason }: JsonObject): string | undefined {
  if (kind !== 'Status' || apiVersion !== 'v1' || status === 'Success') return undefined;
  return typeof message === 'string' && message !== ''
    ? message
    : typeof reason === 'string' && reason !== ''
      ? reason
      : 'unknown';
}

/** A missing type is treated as the one asked for, at this point. */
function typeFault({ apiVersion = '', kind = '' }: JsonObject, asked: ReviewVersion): string | undefined {
  const unreadable = (field: string, value: JsonValue): string =>
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof value} into Go struct field .${field} of type string`;
  if (typeof apiVersion !== 'string') return unreadable('apiVersion', apiVersion);
  if (typeof kind !== 'string') return unreadable('kind', kind);
  const isKnown = apiVersion === 'admission.k8s.io/v1' || apiVersion === 'admission.k8s.io/v1beta1';
  if ((kind !== '' && kind !== KIND) || (apiVersion !== '' && !isKnown)) {
    return `no kind ${quoteGo(kind === '' ? KIND : kind)} is registered for version ${quoteGo(apiVersion === '' ? asked : apiVersion)} in scheme ${SCHEME}`;
  }
  if (apiVersion === '' || apiVersion === asked) return undefined;
  return `converting (${versionOf(apiVersion)}.${KIND}) to (${versionOf(asked)}.${KIND}): unknown conversion`;
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
