// managedFields of objects that are posted and not stored: as upstream, admission sees them, and what is
// answered has them.
import type { StructType } from '@instar/kinds';
import type { JsonObject, KubeObject } from '@instar/machinery';
import { type MergeType, mergeTypeOf, updateManagedFields } from '@instar/ownership';
import { compileSchema } from '@instar/schema';
import { zeroOf } from '../../kinds/typed/decode.ts';
import { schemaOf } from '../../kinds/typed/schema-of.ts';

interface Posted {
  readonly type: StructType;
  /** What is there before anything is set, if that is not the zero value. */
  readonly blank?: JsonObject | undefined;
  readonly manager: string;
  readonly subresource?: string;
  /** RFC 3339. */
  readonly now: string;
}

const mergeTypes = new WeakMap<StructType, MergeType>();

function mergeTypeFor(type: StructType): MergeType {
  let known = mergeTypes.get(type);
  if (known === undefined) mergeTypes.set(type, (known = mergeTypeOf(compileSchema(schemaOf(type)).root)));
  return known;
}

export function ownPosted(object: KubeObject, posted: Posted): KubeObject {
  const { apiVersion, kind } = object;
  const { type, blank = zeroOf(type), manager, subresource, now } = posted;
  const { metadata: _, ...unset } = blank;
  return updateManagedFields({
    apiVersion,
    manager,
    subresource,
    now,
    versions: { typeOf: (version) => (version === apiVersion ? mergeTypeFor(type) : undefined) },
    blank: { ...unset, apiVersion, kind },
    live: undefined,
    next: object,
    emptyListResets: true,
  });
}
