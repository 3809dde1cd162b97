// rename, move, hoist, plunge: a value is moved unchanged. Forward and backward are the same with the paths
// exchanged.
import type { Direction, Op } from '../op/op.ts';
import { AS_IT_IS, RelocateOp } from '../op/relocate-op.ts';
import { isWildcard, type Path, printPath, samePath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';

export const rename: OpKind = {
  name: 'rename',
  parse(reader) {
    reader.only('from', 'to');
    const [from, to] = [reader.path('from'), reader.path('to')];
    if (from === undefined || to === undefined) return undefined;
    if (!samePath(from.slice(0, -1), to.slice(0, -1)))
      return reader.fail('to', `must be in the same place as ${printPath(from)}; use move for another`);
    return moveOp(reader, from, to, 'to');
  },
};

export const move: OpKind = {
  name: 'move',
  parse(reader) {
    reader.only('from', 'to');
    const [from, to] = [reader.path('from'), reader.path('to')];
    return from === undefined || to === undefined ? undefined : moveOp(reader, from, to, 'to');
  },
};

export const hoist: OpKind = {
  name: 'hoist',
  parse(reader) {
    reader.only('from', 'as');
    const from = reader.path('from');
    const as = reader.has('as') ? reader.text('as') : '';
    if (from === undefined || as === undefined) return undefined;
    if (from.length < 2 || isWildcard(from.at(-2)!))
      return reader.fail('from', 'is not in an object that it could be hoisted out of');
    return moveOp(reader, from, [...from.slice(0, -2), as === '' ? from.at(-1)! : { key: as }], 'from');
  },
};

export const plunge: OpKind = {
  name: 'plunge',
  parse(reader) {
    reader.only('from', 'into', 'as');
    const [from, into] = [reader.path('from'), reader.path('into')];
    const as = reader.has('as') ? reader.text('as') : '';
    if (from === undefined || into === undefined || as === undefined) return undefined;
    return moveOp(reader, from, [...into, as === '' ? from.at(-1)! : { key: as }], 'into');
  },
};

/** Also what splitObject and mergeObjects are made of. */
export function moveOp(reader: OpReader, from: Path, to: Path, field: string): Op | undefined {
  if ([from, to].some((path) => path.length === 0 || isWildcard(path.at(-1)!)))
    return reader.fail(field, 'an item of a list or a value of a map cannot be moved as a whole');
  if (!reader.areApart([from, to], field)) return undefined;
  const text = `${reader.kind} ${printPath(from)} → ${printPath(to)}`;
  const key = reader.key([from, to]);
  return throughWildcards(
    reader,
    field,
    [from, to],
    (innerFrom, innerTo) =>
      new RelocateOp({
        forward: AS_IT_IS,
        backward: AS_IT_IS,
        key,
        text,
        from: innerFrom!,
        to: innerTo!,
        readSchema: moveSchema(text, innerFrom!, innerTo!),
      }),
  );
}

const moveSchema =
  (text: string, left: Path, right: Path) => (reading: SchemaReading, direction: Direction) => {
    const [from, to] = direction === 'forward' ? [left, right] : [right, left];
    const schema = reading.at(from, text);
    if (schema === undefined) return;
    if (reading.declares(to))
      reading.report(
        'lossy',
        'warning',
        to,
        text,
        `is in the schema already: its value gives way to that of ${printPath(from)}, and is stashed`,
      );
    const sure = reading.sureFrom([from], to);
    reading.clear(from, [to]);
    reading.put(to, schema, sure, text);
  };
