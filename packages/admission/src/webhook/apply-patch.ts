// The JSON Patch of a mutating webhook: decoded, applied and read as an object again.

import { quoteGo } from '@instar/go';
import {
  apiErrors,
  applyJsonPatch,
  decodeJsonPatch,
  deepEqual,
  JsonParseError,
  type JsonPatchOperation,
  type JsonValue,
  type KubeObject,
  type ParsedJson,
  PatchError,
  parseJson,
} from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { VersionedObject } from '../versioned-object.ts';
import { CallFailure } from './failures.ts';
import type { AdmissionVerdict } from './review-response.ts';

/** No object may be larger than a request; a larger patch is a mistake. */
const MAX_PATCH_CHARACTERS = 3 * 1024 * 1024;

export interface Patched {
  readonly object: KubeObject;
  /** False if the patch changes nothing. */
  readonly changed: boolean;
}

/** Undefined if there is nothing to do. Throws CallFailure or ApiError. */
export function applyVerdict(
  webhook: string,
  { patch, patchType }: Pick<AdmissionVerdict, 'patch' | 'patchType'>,
  versioned: VersionedObject,
  host: Pick<AdmissionHost, 'interpret'>,
): Patched | undefined {
  if (patch === '') return undefined;
  const operations = decode(patch);
  if (operations.length === 0) return undefined;
  if (versioned.object === undefined) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw apiErrors.internal(`admission webhook ${quoteGo(webhook)} ${why}`);
  }
  if (patchType !== 'JSONPatch') throw new CallFailure(`unsupported patch type ${quoteGo(patchType)}`, 400);
  const before = versioned.objectValue;
  const after = apply(before, operations);
  return { object: interpret(after, host), changed: !deepEqual(before, after) };
}

const undecodable = (why: string): CallFailure =>
  new CallFailure(`received undecodable patch in webhook response: ${why}`);

function decode(patch: string): readonly JsonPatchOperation[] {
  if (patch.length > MAX_PATCH_CHARACTERS)
    throw undecodable(`it has more than ${MAX_PATCH_CHARACTERS} characters`);
  const { value, wholeFloats } = parse(patch);
  const decoded = decodeJsonPatch(value, { strict: false, wholeFloats });
  if ('fault' in decoded) throw undecodable(decoded.fault);
  return decoded.operations;
}

function parse(patch: string): ParsedJson {
  try {
    return parseJson(patch);
  } catch (error) {
    if (error instanceof JsonParseError) throw undecodable(error.message);
    throw error;
  }
}

function apply(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  try {
    return applyJsonPatch(document, operations);
  } catch (error) {
    if (error instanceof PatchError) throw apiErrors.internal(error.message);
    throw error;
  }
}

function interpret(patched: JsonValue, host: Pick<AdmissionHost, 'interpret'>): KubeObject {
  try {
    return host.interpret(patched);
  } catch (error) {
    throw apiErrors.internal((error as Error).message);
  }
}
