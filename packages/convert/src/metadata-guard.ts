// What a webhook must not do to an object: turn it into another one, or change metadata other than labels and
// annotations. Other changes to metadata are reverted rather than refused, since it is hard to say what a
// change is (KEP-598).
import {
  aggregateMessage,
  FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
  parseApiVersion,
  printApiVersion,
  validateAnnotations,
  validateLabels,
} from '@instar/machinery';
import type { ConversionSource } from './source.ts';

export type Guarded = { readonly object: KubeObject } | { readonly fault: string };

/**
 * `converted` with the metadata it may have; or upstream's error, after "conversion webhook for …". `index`
 * is its position in the answer.
 */
export function guard(
  source: ConversionSource,
  converted: JsonValue,
  toApiVersion: string,
  index: number,
): Guarded {
  const at = `returned invalid object at index ${index}`;
  if (converted === null) return { fault: `${at}: unexpected end of JSON input` };
  if (!isJsonObject(converted))
    return { fault: `${at}: json: cannot unmarshal ${goType(converted)} into Go value of type object` };
  const type = typeFault(source, converted, toApiVersion);
  if (type !== undefined) return { fault: `${at}: ${type}` };
  const identity = identityFault(source, converted);
  if (identity !== undefined) return { fault: `returned invalid object: ${identity}` };
  const metadata = restoredMetadata(source.metadata, converted['metadata']);
  if (typeof metadata === 'string') return { fault: `returned invalid metadata: ${metadata}` };
  return { object: { ...(converted as unknown as KubeObject), metadata } };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function typeFault(
  { kind }: ConversionSource,
  converted: JsonObject,
  toApiVersion: string,
): string | undefined {
  const said = text(converted['apiVersion']);
  if (said !== toApiVersion) {
    const gv = parseApiVersion(said);
    return `invalid groupVersion (expected ${toApiVersion}, received ${gv === undefined ? '/' : printApiVersion(gv)})`;
  }
  const saidKind = text(converted['kind']);
  return saidKind === kind ? undefined : `invalid kind (expected ${kind}, received ${saidKind})`;
}

function identityFault({ metadata }: ConversionSource, converted: JsonObject): string | undefined {
  const said = isJsonObject(converted['metadata'] ?? null) ? (converted['metadata'] as JsonObject) : {};
  const differs = (field: 'name' | 'namespace' | 'uid', called: string): string | undefined => {
    const [before, after] = [metadata[field] ?? '', text(said[field])];
    return before === after ? undefined : `must have the same ${called}: ${before} != ${after}`;
  };
  return differs('name', 'name') ?? differs('namespace', 'namespace') ?? differs('uid', 'UID');
}

/** True if restoring would give the metadata of the source. */
export function isSameMetadata(source: ConversionSource, said: JsonValue): boolean {
  if (!isJsonObject(said) || identityFault(source, { metadata: said }) !== undefined) return false;
  const { labels, annotations } = source.metadata;
  return isUnchanged(said['labels'], labels) && isUnchanged(said['annotations'], annotations);
}

/** An empty map counts as none. */
function isUnchanged(said: JsonValue | undefined, before: StringMap | undefined): boolean {
  if (said === undefined || said === null) return before === undefined;
  return (
    before !== undefined &&
    isJsonObject(said) &&
    Object.keys(said).length > 0 &&
    isSame(said as StringMap, before)
  );
}

/** A string is the error. */
function restoredMetadata(original: ObjectMeta, said: JsonValue | undefined): ObjectMeta | string {
  if (said === undefined) return 'missing metadata in converted object';
  if (!isJsonObject(said)) return `invalid metadata of type ${goType(said)} in converted object`;
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  const labels = checkedMap('labels', said['labels'], original.labels);
  if (typeof labels === 'string') return labels;
  const annotations = checkedMap('annotations', said['annotations'], original.annotations);
  if (typeof annotations === 'string') return annotations;
  return { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) };
}

type StringMap = Record<string, string>;

/** Undefined for an empty map, which is never kept. */
function checkedMap(
  field: 'labels' | 'annotations',
  said: JsonValue | undefined,
  before: StringMap | undefined,
): StringMap | undefined | string {
  if (said === undefined || said === null) return undefined;
  if (!isJsonObject(said)) return `invalid metadata.${field} of type ${goType(said)} in converted object`;
  for (const [key, value] of Object.entries(said)) {
    if (typeof value !== 'string')
      return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
  }
  const map = said as StringMap;
  // Values that are older than the rules are left alone, as upstream does.
  const errors = isSame(map, before ?? {}) ? [] : validated(field, map);
  if (errors.length > 0) return aggregateMessage(errors);
  return Object.keys(map).length === 0 ? undefined : map;
}

/** "annotation" in the path of the second is upstream's. */
const validated = (field: 'labels' | 'annotations', map: StringMap) =>
  field === 'labels'
    ? validateLabels(map, FieldPath.of('metadata', 'labels'))
    : validateAnnotations(map, FieldPath.of('metadata', 'annotation'));

function isSame(a: StringMap, b: StringMap): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}

/** Go's name for the type that a JSON value decodes into. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
