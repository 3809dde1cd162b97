// Decodes a JSON Patch from parsed JSON: checks its types, and what fieldValidation Strict and Warn report.
// json-patch.ts applies it.

import { type WholeFloatAt, withWholeFloats } from '../json/whole-float.ts';
import { isJsonObject, type JsonValue } from '../json-value.ts';
import { goJsonType } from '../meta/decode-object-meta.ts';
import type { JsonPatchOperation } from './json-patch.ts';

const MAX_JSON_PATCH_OPERATIONS = 10_000;

export type DecodedJsonPatch =
  | {
      readonly operations: JsonPatchOperation[];
      /** As upstream reports them: `json patch unknown field "[0].extra"`. Only with `strict`. */
      readonly strictErrors: string[];
    }
  /** `code` is the HTTP status of the answer. */
  | { readonly fault: string; readonly code: 400 | 413 };

interface DecodeOptions {
  readonly strict: boolean;
  /** Of the patch. */
  readonly wholeFloats?: readonly WholeFloatAt[] | undefined;
}

/** Numbers are equal to those in the object if they are written alike: 1.0 is not what is stored as 1. */
function withFloatsInTests(patch: JsonValue, floats: readonly WholeFloatAt[] | undefined): JsonValue {
  if (floats === undefined || !Array.isArray(patch)) return patch;
  const isInTest = ({ path: [index, member] }: WholeFloatAt): boolean => {
    const operation = patch[index as number];
    return member === 'value' && isJsonObject(operation) && operation['op'] === 'test';
  };
  return withWholeFloats(patch, floats.filter(isInTest));
}

/**
 * `strict` with fieldValidation Strict or Warn: upstream then first decodes into another type, which its
 * messages name.
 */
export function decodeJsonPatch(sent: JsonValue, options: DecodeOptions): DecodedJsonPatch {
  const value = withFloatsInTests(sent, options.wholeFloats);
  const fault = typeFault(value, options.strict);
  if (fault !== undefined)
    return { fault: options.strict ? `error decoding patch: ${fault}` : fault, code: 400 };
  const operations = (value ?? []) as unknown as JsonPatchOperation[];
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    const fault = `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`;
    return { fault, code: 413 };
  }
  return {
    operations: operations.map((operation) => operation ?? {}),
    strictErrors: options.strict ? unknownFields(operations) : [],
  };
}

const TEXT_FIELDS = ['op', 'path', 'from'] as const;
const FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'value']);

function typeFault(value: JsonValue, strict: boolean): string | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value))
    return mismatch(value, `Go value of type ${strict ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`);
  for (const operation of value) {
    if (operation === null) continue;
    if (!isJsonObject(operation))
      return mismatch(
        operation,
        `Go value of type ${strict ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`,
      );
    if (!strict) continue;
    for (const field of TEXT_FIELDS) {
      const text = operation[field];
      if (text !== undefined && text !== null && typeof text !== 'string') {
        return mismatch(text, `Go struct field jsonPatchOp.${field} of type string`);
      }
    }
  }
  return undefined;
}

function mismatch(value: JsonValue, into: string): string {
  return `json: cannot unmarshal ${goJsonType(value)} into ${into}`;
}

function unknownFields(operations: readonly JsonPatchOperation[]): string[] {
  return operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((field) => !FIELDS.has(field))
      .map((field) => `json patch unknown field "[${index}].${field}"`),
  );
}
