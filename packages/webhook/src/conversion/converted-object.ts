// Enforces what a conversion must not do: change the identity of an object, or metadata other than labels and
// annotations. The API server would refuse the whole review for the former and undo the latter; here the
// error names the object.

import { quoteGo } from '@instar/go';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/**
 * What must be the same after conversion. Copied before the function gets the object, since functions may
 * change their input.
 */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
}

export function identityOf(object: JsonObject): ObjectIdentity {
  const { apiVersion, kind, metadata } = object;
  return {
    apiVersion: apiVersion as string,
    kind: kind as string,
    metadata: isJsonObject(metadata) ? { ...metadata } : {},
  };
}

/**
 * The object as it is returned to the API server; throws an error that says what the function did wrong.
 * `from` is the apiVersion of the input.
 */
export function convertedObject(
  identity: ObjectIdentity,
  from: string,
  to: string,
  result: JsonValue | undefined,
): JsonObject {
  if (!isJsonObject(result))
    throw new Error(
      `the conversion returned ${result === undefined ? 'nothing' : 'something other than an object'}`,
    );
  const { apiVersion = to, kind = identity.kind } = result;
  if (apiVersion !== to && apiVersion !== from)
    throw new Error(`the conversion returned apiVersion ${shown(apiVersion)}, not ${quoteGo(to)}`);
  if (kind !== identity.kind)
    throw new Error(`the conversion changed kind from ${shown(identity.kind)} to ${shown(kind)}`);
  return { ...result, apiVersion: to, kind, metadata: keptMetadata(identity.metadata, result['metadata']) };
}

const IDENTITY = ['name', 'namespace', 'uid'] as const;

function keptMetadata(before: JsonObject, said: JsonValue | undefined): JsonObject {
  if (!isJsonObject(said)) throw new Error('the conversion returned an object without metadata');
  for (const field of IDENTITY) {
    const [was, is] = [before[field] ?? '', said[field] ?? ''];
    if (was !== is)
      throw new Error(`the conversion changed metadata.${field} from ${shown(was)} to ${shown(is)}`);
  }
  const metadata = { ...before };
  for (const field of ['labels', 'annotations'] as const) {
    const map = said[field];
    if (map === undefined) delete metadata[field];
    else metadata[field] = map;
  }
  return metadata;
}

const shown = (value: JsonValue): string =>
  typeof value === 'string' ? quoteGo(value) : `a ${typeof value}`;
