// How an object has changed by a conversion to another version and back, both compared as they are served:
// pruned and defaulted.
import { differencesOf } from '@instar/lens';
import {
  asJson,
  deepCopy,
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';

const MAX_VALUE_CHARACTERS = 60;

/**
 * The first field that has changed, and how; undefined if none has. Metadata is restored after each
 * conversion, except for labels and annotations. A new annotation may hold what the other version cannot, and
 * webhooks written in Go add empty values: neither is reported.
 */
export function changeOf(before: KubeObject, after: KubeObject, schema: CompiledSchema): string | undefined {
  const changes = differencesOf(comparable(before, schema), comparable(after, schema));
  const first = changes.find(({ expected, got, place }) => {
    const isAnnotation = place[0] === 'metadata' && place[1] === 'annotations';
    return expected !== undefined || !(isAnnotation || isEmpty(got!));
  });
  if (first === undefined) return undefined;
  const { path, expected, got } = first;
  if (got === undefined) return `${path} is lost (${printed(expected!)})`;
  return expected === undefined
    ? `${path} is added (${printed(got)})`
    : `${path} is ${printed(got)} instead of ${printed(expected)}`;
}

function comparable(object: KubeObject, schema: CompiledSchema): JsonObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = deepCopy(asJson(object));
  schema.prune(rest);
  schema.applyDefaults(rest);
  const { labels = {}, annotations = {} } = isJsonObject(metadata) ? metadata : {};
  return { metadata: { labels, annotations }, ...rest };
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '';
  return value === null || Object.values(value).every(isEmpty);
}

function printed(value: JsonValue): string {
  const text = encodeJson(value);
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}
