// A verdict as the JSON of an AdmissionReview. The envelope is the same every time, so it is put together as
// text.
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
import type { Denied, Patched, Verdict } from './verdict.ts';

export interface Asked {
  readonly apiVersion: string;
  readonly uid: string;
  /** The review as it came: what a function was given it may have changed. */
  readonly text: string;
}

const DEFAULT_CODE = 403;

/** Throws if the verdict is none, which is the fault of the function. */
export function encodeAnswer(asked: Asked, verdict: Verdict): TextAnswer {
  const fault = verdictFault(verdict);
  if (fault !== undefined) throw new TypeError(fault);
  if (!verdict.allowed)
    return answer(asked, `"allowed":false,"status":${JSON.stringify(statusOf(verdict))}`, verdict, 'denied');
  const operations = 'patch' in verdict ? operationsOf(asked, verdict) : [];
  if (operations.length === 0) return answer(asked, '"allowed":true', verdict, 'allowed');
  const encoded = Buffer.from(encodeJson(operations)).toString('base64');
  return answer(asked, `"allowed":true,"patchType":"JSONPatch","patch":"${encoded}"`, verdict, 'patched');
}

function verdictFault(verdict: unknown): string | undefined {
  const said = verdict as Partial<Verdict> | null | undefined;
  if (typeof said !== 'object' || said === null)
    return 'it returned no verdict: return allow(), deny(message) or patch(change)';
  if (typeof said.allowed !== 'boolean') return 'it returned a verdict without `allowed`';
  return undefined;
}

function statusOf({ message = '', code = DEFAULT_CODE, reason, causes }: Denied): object {
  return {
    status: 'Failure',
    message,
    code,
    ...(reason !== undefined && { reason }),
    ...(causes !== undefined && { details: { causes } }),
  };
}

function answer(
  { apiVersion, uid }: Asked,
  response: string,
  remarks: Verdict,
  outcome: TextAnswer['outcome'],
): TextAnswer {
  const { warnings, auditAnnotations } = remarks;
  const more =
    (warnings === undefined || warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`) +
    (auditAnnotations === undefined ? '' : `,"auditAnnotations":${JSON.stringify(auditAnnotations)}`);
  const body = `{"kind":"AdmissionReview","apiVersion":"${apiVersion}","response":{"uid":${JSON.stringify(uid)},${response}${more}}}`;
  return { status: 200, body, outcome };
}

function operationsOf({ text }: Asked, { patch }: Patched): readonly JsonPatchOperation[] {
  if (!('changed' in patch)) return patch;
  const original = originalObject(text);
  if (original === undefined)
    throw new TypeError('it wants to change an object, and there is none in the request');
  return diffPatch(original, patch.changed as JsonObject);
}

/** Read once more: the function may have changed, in place, what it was given. */
function originalObject(text: string): JsonObject | undefined {
  const review = parseExactly(text) as JsonObject;
  const object: JsonValue | undefined = (review['request'] as JsonObject)['object'];
  return isJsonObject(object) ? object : undefined;
}
