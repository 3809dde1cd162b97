// Smaller objects: optional fields are removed first, from the outside in; then members of lists and maps;
// then values become simpler. Each candidate weighs less than the object that it came from, so shrinking
// terminates.
import { deepCopy, deepEqual, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { childSchema, removeAt, setAt, type ValuePath } from './value-path.ts';

const KEPT = new Set(['apiVersion', 'kind']);
const IDENTITY = new Set<string | number | undefined>(['name', 'namespace', 'uid', 'creationTimestamp']);

/** `isValid` may change the candidate: apply defaults, for instance. */
export function* smaller(
  object: JsonObject,
  schema: JSONSchemaProps,
  isValid: (object: JsonObject) => boolean,
): IterableIterator<JsonObject> {
  const limit = weightOf(object, schema);
  for (const change of changesOf(object, schema)) {
    const candidate = deepCopy(object);
    change(candidate);
    if (isValid(candidate) && weightOf(candidate, schema) < limit) yield candidate;
  }
}

type Change = (object: JsonObject) => void;

function* changesOf(object: JsonObject, schema: JSONSchemaProps): IterableIterator<Change> {
  const places = [...placesOf(object, schema, [])];
  for (const { place } of places) if (isRemovable(place)) yield (one) => removeAt(one, place);
  for (const { place, value } of places)
    if (Array.isArray(value) && value.length > 1) yield* halves(place, value);
  for (const { place, value, schema: own } of places)
    if (!isIdentity(place))
      for (const plain of plainer(value, own)) yield (one) => void setAt(one, place, plain);
}

const isRemovable = (place: ValuePath): boolean =>
  !isIdentity(place) && !(place.length === 1 && place[0] === 'metadata');

/** What every stored object has; the rest of its metadata may be removed. */
function isIdentity(place: ValuePath): boolean {
  return place[0] === 'metadata' && place.length === 2 && IDENTITY.has(place[1]);
}

function* halves(place: ValuePath, list: readonly JsonValue[]): IterableIterator<Change> {
  const middle = list.length >> 1;
  yield (one) => void setAt(one, place, deepCopy(list.slice(0, middle)));
  yield (one) => void setAt(one, place, deepCopy(list.slice(middle)));
}

interface Visited {
  readonly place: ValuePath;
  readonly value: JsonValue;
  readonly schema: JSONSchemaProps | undefined;
}

/** Everything below the root, outer before inner. */
function* placesOf(
  value: JsonValue,
  schema: JSONSchemaProps | undefined,
  place: ValuePath,
): IterableIterator<Visited> {
  const steps: readonly (string | number)[] = Array.isArray(value)
    ? [...value.keys()].reverse()
    : isJsonObject(value)
      ? Object.keys(value)
      : [];
  const children = steps
    .filter((step) => place.length > 0 || !KEPT.has(String(step)))
    .map(
      (step): Visited => ({
        place: [...place, step],
        value: (value as never)[step],
        schema: childSchema(schema, step),
      }),
    );
  yield* children;
  for (const child of children) yield* placesOf(child.value, child.schema, child.place);
}

function plainer(value: JsonValue, schema: JSONSchemaProps | undefined): readonly JsonValue[] {
  const byDefault = schema?.default;
  return byDefault === undefined
    ? plainerScalars(value, schema)
    : [byDefault, ...plainerScalars(value, schema)];
}

function plainerScalars(value: JsonValue, schema: JSONSchemaProps | undefined): readonly JsonValue[] {
  switch (typeof value) {
    case 'string':
      return [
        ...(schema?.enum?.slice(0, 1) ?? []),
        '',
        'a',
        value.slice(0, value.length >> 1),
        value.slice(0, -1),
      ];
    case 'number':
    case 'bigint':
      return [Number(schema?.minimum ?? 0), 0, 1, ...nearer(Number(value))];
    case 'boolean':
      return [false];
    default:
      return [];
  }
}

/** Halfway to zero, then in smaller and smaller steps: a limit in between is found by bisection. */
function* nearer(value: number): IterableIterator<number> {
  yield Math.trunc(value);
  for (let step = value / 2; Math.abs(step) >= 1; step /= 2) yield Math.trunc(value - step);
  if (Number.isInteger(value)) yield value - Math.sign(value);
}

/** What a reader has to take in: a value that equals the default weighs nothing. */
function weightOf(value: JsonValue, schema: JSONSchemaProps | undefined): number {
  if (schema?.default !== undefined && deepEqual(value, schema.default)) return 0;
  switch (typeof value) {
    case 'string':
      return 2 + value.length * 2 + [...value].filter((point) => point !== 'a').length;
    case 'number':
    case 'bigint':
      return Number(value) === 0
        ? 1
        : 2 + Math.log2(1 + Math.abs(Number(value))) + (Number.isInteger(Number(value)) ? 0 : 4);
    case 'boolean':
      return value ? 2 : 1;
    default:
      break;
  }
  if (value === null) return 1;
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => sum + 2 + weightOf(item, childSchema(schema, 0)), 2);
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + 4 + weightOf(member, childSchema(schema, name)),
    2,
  );
}
