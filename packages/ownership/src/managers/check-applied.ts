// What is refused before an apply begins: another type, managedFields, a configuration that does not match
// its type.
import { parseTime } from '@instar/go';
import {
  ApiError,
  apiErrors,
  asJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { MergeType } from '../typed/merge-type.ts';
import { faultsText, validateApplied } from '../typed/validate.ts';

export function checkApplied(applied: KubeObject, apiVersion: string, kind: string, type: MergeType): void {
  const object = asJson(applied);
  if (textAt(object, 'apiVersion') !== apiVersion || textAt(object, 'kind') !== kind) {
    throw apiErrors.badRequest(`invalid object type: ${kindText(object)}`);
  }
  const metadata = object['metadata'];
  if (isJsonObject(metadata) && isReadable(metadata['managedFields']))
    throw apiErrors.badRequest('metadata.managedFields must be nil');
  const faults = validateApplied(object, type);
  if (faults.length > 0) throw typeError(object, faultsText(faults));
}

/** As upstream, which takes a list for absent if an entry has no such type. */
function isReadable(managedFields: JsonValue | undefined): boolean {
  if (!Array.isArray(managedFields)) return false;
  return managedFields.every((entry) => {
    if (!isJsonObject(entry)) return false;
    const { time } = entry;
    return time == null || (typeof time === 'string' && !('fault' in parseTime(time)));
  });
}

/** Upstream treats this as its own error: a plain one, which is sent as 500 without a reason. */
function typeError(object: JsonObject, text: string): ApiError {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const name = `${textAt(metadata, 'namespace')}/${textAt(metadata, 'name')}`;
  return new ApiError({
    code: 500,
    message: `failed to create typed patch object (${name}; ${kindText(object)}): ${text}`,
  });
}

function kindText(object: JsonObject): string {
  const apiVersion = textAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textAt(object, 'kind')}`;
}

function textAt(object: JsonObject, key: string): string {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : '';
}
