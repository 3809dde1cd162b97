// A verdict as the JSON of an AdmissionReview. The envelope is always the same, so it is written as text.
import {
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
} from '@instar/machinery';
import { parseExactly } from '../review/parse-body.ts';
import type { TextAnswer } from '../review/webhook.ts';
import { diffPatch } from './diff-patch.ts';
import type { AdmissionVerdict, DeniedVerdict, PatchedVerdict } from './verdict.ts';

export interface ReceivedReview {
  readonly apiVersion: string;
  readonly uid: string;
  /** The review as received: the function may have changed the parsed one in place. */
  readonly text: string;
}

const DEFAULT_CODE = 403;

/** Throws a TypeError if the function did not return a verdict. */
export function encodeAnswer(received: ReceivedReview, verdict: AdmissionVerdict): TextAnswer {
  const fault = verdictFault(verdict);
  if (fault !== undefined) throw new TypeError(fault);
  if (!verdict.allowed)
    return answer(
      received,
      `"allowed":false,"status":${JSON.stringify(statusOf(verdict))}`,
      verdict,
      'denied',
    );
  const operations = 'patch' in verdict ? operationsOf(received, verdict) : [];
  if (operations.length === 0) return answer(received, '"allowed":true', verdict, 'allowed');
  const encoded = Buffer.from(encodeJson(operations)).toString('base64');
  return answer(received, `"allowed":true,"patchType":"JSONPatch","patch":"${encoded}"`, verdict, 'patched');
}

function verdictFault(verdict: unknown): string | undefined {
  const said = verdict as Partial<AdmissionVerdict> | null | undefined;
  if (typeof said !== 'object' || said === null)
    return 'it returned no verdict: return allow(), deny(message) or patch(change)';
  if (typeof said.allowed !== 'boolean') return 'it returned a verdict without `allowed`';
  return undefined;
}

function statusOf({ message = '', code = DEFAULT_CODE, reason, causes }: DeniedVerdict): object {
  return {
    status: 'Failure',
    message,
    code,
    ...(reason !== undefined && { reason }),
    ...(causes !== undefined && { details: { causes } }),
  };
}

function answer(
  { apiVersion, uid }: ReceivedReview,
  response: string,
  remarks: AdmissionVerdict,
  outcome: TextAnswer['outcome'],
): TextAnswer {
  const { warnings, auditAnnotations } = remarks;
  const more =
    (warnings === undefined || warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`) +
    (auditAnnotations === undefined ? '' : `,"auditAnnotations":${JSON.stringify(auditAnnotations)}`);
  const body = `{"kind":"AdmissionReview","apiVersion":"${apiVersion}","response":{"uid":${JSON.stringify(uid)},${response}${more}}}`;
  return { status: 200, body, outcome };
}

function operationsOf({ text }: ReceivedReview, { patch }: PatchedVerdict): readonly JsonPatchOperation[] {
  if (!('changed' in patch)) return patch;
  const original = originalObject(text);
  if (original === undefined) throw new TypeError('it changed an object, but the request has none');
  return diffPatch(original, patch.changed as JsonObject);
}

/** Parsed again, since the function may have changed its input in place. */
function originalObject(text: string): JsonObject | undefined {
  const review = parseExactly(text) as JsonObject;
  const object: JsonValue | undefined = (review['request'] as JsonObject)['object'];
  return isJsonObject(object) ? object : undefined;
}
