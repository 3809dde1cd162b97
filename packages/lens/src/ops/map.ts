// map: values of an enumeration under other names, or a boolean as one. The table is read in both directions;
// what is not in it is refused, kept unchanged, or replaced by a value that the author names.
import {
  deepEqual,
  encodeJson,
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonValue,
} from '@instar/machinery';
import type { UnknownRule } from '../document.ts';
import { LensError } from '../lens-error.ts';
import type { Direction } from '../op/op.ts';
import { fresh, type ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import { schemaOfValue } from './add.ts';
import { relocation } from './relocating.ts';

type Table = readonly { readonly from: JsonValue; readonly to: JsonValue }[];

export const map: OpKind = {
  name: 'map',
  parse(reader) {
    reader.only('path', 'values', 'unknown');
    const path = reader.path('path');
    const table = tableOf(reader);
    const [forward, backward] = [unknownRule(reader, 'forward'), unknownRule(reader, 'backward')];
    if (path === undefined || table === undefined || forward === undefined || backward === undefined)
      return undefined;
    const reverse = table.map(({ from, to }) => ({ from: to, to: from }));
    return relocation(reader, path, path, 'path', (inner) => ({
      forward: mapping(inner, table, forward),
      backward: mapping(inner, reverse, backward),
      schema: schemaOf(inner, table, reverse, { forward, backward }),
    }));
  },
};

function tableOf(reader: OpReader): Table | undefined {
  const values = reader.value('values');
  if (!Array.isArray(values) || values.length === 0)
    return reader.fail('values', 'must be a list of { from, to }');
  const before = reader.scope.errors.length;
  const seen = new Set<string>();
  values.forEach((pair, index) => {
    const at: FieldPath = reader.at.child('values').index(index);
    if (
      !isJsonObject(pair) ||
      pair['from'] === undefined ||
      pair['to'] === undefined ||
      Object.keys(pair).length !== 2
    )
      reader.scope.errors.push(fieldErrors.invalid(at, pair, 'must be { from, to }'));
    else if (seen.has(encodeJson([pair['from'], pair['to']])))
      reader.scope.errors.push(fieldErrors.duplicate(at, pair));
    else seen.add(encodeJson([pair['from'], pair['to']]));
  });
  return reader.scope.errors.length === before ? (values as unknown as Table) : undefined;
}

function unknownRule(reader: OpReader, direction: Direction): UnknownRule | undefined {
  const said = reader.value('unknown');
  const isPair = isJsonObject(said) && !Object.hasOwn(said, 'value');
  const rule = isPair ? said[direction] : said;
  if (rule === undefined) return 'error';
  if (rule === 'keep' || rule === 'error') return rule;
  if (isJsonObject(rule) && rule['value'] !== undefined) return { value: rule['value'] };
  return reader.fail('unknown', 'must be keep, error or { value }, or that for forward and backward');
}

function mapping(path: Path, table: Table, unknown: UnknownRule): ValueReading {
  const scalars = new Map<JsonValue, JsonValue>();
  for (const { from, to } of table) if (!scalars.has(from)) scalars.set(from, to);
  const lookUp = (value: JsonValue): JsonValue | undefined =>
    typeof value === 'object' ? table.find(({ from }) => deepEqual(from, value))?.to : scalars.get(value);
  return {
    convert: (value) =>
      value === undefined ? undefined : fresh(lookUp(value) ?? fallback(value, unknown, table, path)),
  };
}

function fallback(value: JsonValue, unknown: UnknownRule, table: Table, path: Path): JsonValue {
  if (unknown === 'keep') return value;
  if (unknown !== 'error') return unknown.value;
  const known = table.map(({ from }) => encodeJson(from)).join(', ');
  throw new LensError(
    'value',
    `${encodeJson(value)} is not one of the values that the lens maps: ${known}`,
    printPath(path),
  );
}

const schemaOf =
  (path: Path, table: Table, reverse: Table, rules: Readonly<Record<Direction, UnknownRule>>) =>
  (reading: SchemaReading, direction: Direction, op: string) => {
    const [here, rule] = [direction === 'forward' ? table : reverse, rules[direction]];
    const schema = reading.at(path, op);
    if (schema === undefined) return undefined;
    const unmapped = (schema.enum ?? []).filter((value) => !here.some(({ from }) => deepEqual(from, value)));
    if (unmapped.length > 0 && rule === 'error')
      reading.report(
        'type',
        'error',
        path,
        op,
        `${unmapped.map((value) => encodeJson(value)).join(', ')}: allowed by the schema, not in the table`,
      );
    else if (schema.enum === undefined && rule === 'error' && schema.type !== 'boolean')
      reading.report(
        'type',
        'warning',
        path,
        op,
        'values that are not in the table are refused, and the schema allows any',
      );
    for (const text of collisions(here)) reading.report('lossy', 'info', path, op, text);
    if (typeof rule === 'object')
      reading.report(
        'lossy',
        'info',
        path,
        op,
        `values that are not in the table become ${encodeJson(rule.value)}`,
      );
    const results = [
      ...here.map(({ to }) => to),
      ...(rule === 'keep' ? unmapped : typeof rule === 'object' ? [rule.value] : []),
    ];
    const isOpenEnum = rule === 'keep' && schema.enum === undefined;
    const { type } = schemaOfValue(results[0]!);
    return {
      schema: { ...(type !== undefined && { type }), ...(!isOpenEnum && { enum: distinct(results) }) },
      isSure: true,
    };
  };

function collisions(table: Table): string[] {
  const reached = table.filter(
    ({ from }, index) => table.findIndex((other) => deepEqual(other.from, from)) === index,
  );
  const many = reached.filter(
    ({ to }, index) => reached.findIndex((other) => deepEqual(other.to, to)) !== index,
  );
  return many.map(({ from, to }) => `${encodeJson(from)} becomes ${encodeJson(to)} as another value does`);
}

function distinct(values: readonly JsonValue[]): JsonValue[] {
  return values.filter((value, index) => values.findIndex((other) => deepEqual(other, value)) === index);
}
