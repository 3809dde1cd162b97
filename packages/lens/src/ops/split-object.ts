// splitObject: fields of an object are moved to several others. mergeObjects: fields of several objects are
// moved into one. Both are shorthands for moves.
import { fieldErrors, isJsonObject } from '@instar/machinery';
import type { Op } from '../op/op.ts';
import type { Path } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { moveOp } from './move.ts';

export const splitObject: OpKind = {
  name: 'splitObject',
  parse(reader) {
    reader.only('from', 'to');
    const whole = reader.path('from');
    const parts = partsOf(reader, 'to');
    if (whole === undefined || parts === undefined) return undefined;
    return movesOf(parts, (path, field) =>
      moveOp(reader, [...whole, { key: field }], [...path, { key: field }], 'to'),
    );
  },
};

export const mergeObjects: OpKind = {
  name: 'mergeObjects',
  parse(reader) {
    reader.only('from', 'to');
    const whole = reader.path('to');
    const parts = partsOf(reader, 'from');
    if (whole === undefined || parts === undefined) return undefined;
    return movesOf(parts, (path, field) =>
      moveOp(reader, [...path, { key: field }], [...whole, { key: field }], 'from'),
    );
  },
};

interface MovedFields {
  readonly path: Path;
  readonly fields: readonly string[];
}

function partsOf(reader: OpReader, field: string): MovedFields[] | undefined {
  const value = reader.value(field);
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    return reader.fail(field, 'must name objects and the fields that they get: { spec.a: [x, y] }');
  const seen = new Set<string>();
  const before = reader.scope.errors.length;
  const parts = Object.keys(value).map((text) => {
    const at = reader.at.child(field).key(text);
    const fields = Array.isArray(value[text]) ? value[text] : [];
    if (fields.length === 0 || !fields.every((name) => typeof name === 'string'))
      reader.scope.errors.push(fieldErrors.invalid(at, value[text], 'must be a list of field names'));
    for (const name of fields as string[]) {
      if (seen.has(name)) reader.scope.errors.push(fieldErrors.duplicate(at, name));
      seen.add(name);
    }
    return { path: reader.pathOf(text, at), fields: fields as string[] };
  });
  return reader.scope.errors.length === before ? (parts as MovedFields[]) : undefined;
}

function movesOf(
  parts: readonly MovedFields[],
  make: (path: Path, field: string) => Op | undefined,
): Op[] | undefined {
  const ops = parts.flatMap(({ path, fields }) => fields.map((field) => make(path, field)));
  return ops.every((op) => op !== undefined) ? (ops as Op[]) : undefined;
}
