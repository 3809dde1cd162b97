// Operations that convert one value and may move it: `from` and `to`, by default the same.
import type { JSONSchemaProps } from '@instar/schema';
import { InPlaceOp } from '../op/in-place-op.ts';
import type { Direction, Op } from '../op/op.ts';
import type { ValueReading } from '../op/reading.ts';
import { RelocateOp } from '../op/relocate-op.ts';
import { isWildcard, type Path, printPath, samePath } from '../path/path.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';

export interface Relocation {
  readonly forward: ValueReading;
  readonly backward: ValueReading;
  /** The resulting schema, and whether there is a value whenever there was one before. */
  readonly schema: (
    reading: SchemaReading,
    direction: Direction,
    op: string,
  ) => { schema: JSONSchemaProps; isSure: boolean } | undefined;
}

/** `make` gets the paths relative to the last list or map. */
export function relocating(reader: OpReader, make: (from: Path, to: Path) => Relocation): Op | undefined {
  const from = reader.path('from');
  const to = reader.has('to') ? reader.path('to') : from;
  if (from === undefined || to === undefined) return undefined;
  return relocation(reader, from, to, 'to', make);
}

export function relocation(
  reader: OpReader,
  from: Path,
  to: Path,
  field: string,
  make: (from: Path, to: Path) => Relocation,
): Op | undefined {
  const isInPlace = samePath(from, to);
  const isItem = (path: Path): boolean => path.length === 0 || isWildcard(path.at(-1)!);
  if (!isInPlace && (isItem(from) || isItem(to)))
    return reader.fail(field, 'an item of a list or a value of a map cannot go elsewhere');
  if (!isInPlace && !reader.areApart([from, to], field)) return undefined;
  const text = isInPlace
    ? `${reader.kind} ${printPath(from)}`
    : `${reader.kind} ${printPath(from)} → ${printPath(to)}`;
  const key = reader.key([from, to]);
  return throughWildcards(reader, field, [from, to], (innerFrom, innerTo) =>
    opOf(key, text, innerFrom!, innerTo!, make(innerFrom!, innerTo!)),
  );
}

function opOf(
  key: string,
  text: string,
  from: Path,
  to: Path,
  { forward, backward, schema }: Relocation,
): Op {
  const readSchema = (reading: SchemaReading, direction: Direction): void => {
    const [source, target] = direction === 'forward' ? [from, to] : [to, from];
    const result = schema(reading, direction, text);
    if (result === undefined) return;
    const sure = result.isSure ? reading.sureFrom([source], target) : undefined;
    const sureInPlace = result.isSure && reading.isSureInPlace(source) ? source.length : undefined;
    if (!samePath(from, to)) reading.clear(source, [target]);
    reading.put(target, result.schema, samePath(from, to) ? sureInPlace : sure, text);
  };
  if (samePath(from, to)) return new InPlaceOp({ key, text, path: from, forward, backward, readSchema });
  return new RelocateOp({ key, text, from, to, forward, backward, readSchema });
}
