// Random edits that leave an object valid: at any path in its schema, and to its labels and annotations.
import { deepCopy, deepEqual, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from '../generate/dice.ts';
import { faultsOf } from '../generate/repair.ts';
import { childSchema, type ValuePath } from '../generate/value-path.ts';
import { ValueMaker } from '../generate/values.ts';
import { type ProofVersion, settled } from '../subject.ts';
import { applyEdit, type Edit } from './edit.ts';

const TRIES = 24;
const BUDGET = 3;

export interface Edited {
  readonly edit: Edit;
  readonly object: JsonObject;
}

/** Undefined: no edit was found that leaves the object valid and changes it. */
export function makeEdit(
  object: JsonObject,
  version: ProofVersion,
  stashKeys: ReadonlySet<string>,
  dice: Dice,
): Edited | undefined {
  const sites = [...sitesOf(object, version.schema.source, []), ...metadataSites(object, stashKeys)];
  for (let attempt = 0; attempt < TRIES && sites.length > 0; attempt++) {
    const edit = editAt(dice.pick(sites), dice);
    const edited = edit === undefined ? undefined : withEdit(object, edit, version);
    if (edit !== undefined && edited !== undefined) return { edit, object: edited };
  }
  return undefined;
}

/**
 * The object with the edit, as the server stores it. Undefined: the edit does not fit, changes nothing, or
 * makes the object invalid.
 */
export function withEdit(object: JsonObject, edit: Edit, version: ProofVersion): JsonObject | undefined {
  const copy = deepCopy(object);
  if (!applyEdit(copy, edit)) return undefined;
  settled(copy, version);
  return !deepEqual(copy, object) && faultsOf(copy, version.schema).length === 0 ? copy : undefined;
}

interface Site {
  readonly place: ValuePath;
  readonly schema: JSONSchemaProps;
  /** Undefined: there is no value yet. */
  readonly value: JsonValue | undefined;
}

const NOT_EDITED = new Set(['apiVersion', 'kind', 'metadata']);

function* sitesOf(value: JsonValue, schema: JSONSchemaProps, place: ValuePath): IterableIterator<Site> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* below(item, schema, [...place, index]);
    return;
  }
  if (!isJsonObject(value)) return;
  const isRoot = place.length === 0;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name) && !(isRoot && NOT_EDITED.has(name)))
      yield { place: [...place, name], schema: property, value: undefined };
  }
  for (const [name, member] of Object.entries(value))
    if (!isRoot || !NOT_EDITED.has(name)) yield* below(member, schema, [...place, name]);
}

function* below(value: JsonValue, parent: JSONSchemaProps, place: ValuePath): IterableIterator<Site> {
  const schema = childSchema(parent, place.at(-1)!);
  if (schema === undefined) return;
  yield { place, schema, value };
  yield* sitesOf(value, schema, place);
}

const TEXT: JSONSchemaProps = { type: 'string', enum: ['changed', '', 'x'] };
const NEW_MAP: JSONSchemaProps = { type: 'object', enum: [{ edited: 'x' }] };

/** Users do not change the conversion's own annotations. */
function metadataSites({ metadata }: JsonObject, stashKeys: ReadonlySet<string>): Site[] {
  const meta = isJsonObject(metadata) ? metadata : {};
  return ['labels', 'annotations'].flatMap((field): Site[] => {
    const map = meta[field];
    if (!isJsonObject(map)) return [{ place: ['metadata', field], schema: NEW_MAP, value: undefined }];
    const keys = ['edited', ...Object.keys(map).filter((key) => !stashKeys.has(key))];
    return keys.map((key) => ({ place: ['metadata', field, key], schema: TEXT, value: map[key] }));
  });
}

function editAt({ place, schema, value }: Site, dice: Dice): Edit | undefined {
  const maker = new ValueMaker(dice, BUDGET);
  const choices: (() => Edit | undefined)[] = [() => ({ kind: 'set', place, value: maker.value(schema) })];
  if (value !== undefined) choices.push(() => ({ kind: 'remove', place }));
  if (Array.isArray(value))
    choices.push(
      () => appended(place, schema, maker),
      () => swapped(place, value, schema, dice),
    );
  if (isJsonObject(value) && typeof schema.additionalProperties === 'object')
    choices.push(() => ({
      kind: 'set',
      place: [...place, `edited-${dice.int(0, 9)}`],
      value: maker.value(schema.additionalProperties as JSONSchemaProps),
    }));
  return dice.pick(choices)();
}

function appended(place: ValuePath, { items }: JSONSchemaProps, maker: ValueMaker): Edit | undefined {
  return items === undefined || Array.isArray(items)
    ? undefined
    : { kind: 'append', place, value: maker.value(items) };
}

/** The order of a set or of keyed items means nothing, so it need not be preserved. */
function swapped(
  place: ValuePath,
  list: readonly JsonValue[],
  schema: JSONSchemaProps,
  dice: Dice,
): Edit | undefined {
  const isOrdered = (schema['x-kubernetes-list-type'] ?? 'atomic') === 'atomic';
  if (!isOrdered || list.length < 2) return undefined;
  const [first, second] = dice.shuffled([...list.keys()]);
  return { kind: 'swap', place, first: first!, second: second! };
}
