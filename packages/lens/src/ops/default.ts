// default: a field that both versions have and one of them requires. If it is missing it gets a value; that
// it was missing is stashed, and it is missing again in reverse unless a client changed it.
import type { JsonValue } from '@instar/machinery';
import { InPlaceOp } from '../op/in-place-op.ts';
import type { Direction, Op } from '../op/op.ts';
import { fresh, type ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';

export const defaulted: OpKind = {
  name: 'default',
  parse(reader) {
    reader.only('path', 'value', 'back');
    const path = reader.path('path');
    const values = { forward: reader.value('value'), backward: reader.value('back') };
    if (path === undefined) return undefined;
    if (values.forward === undefined && values.backward === undefined)
      return reader.fail('value', 'must be given, or back for the other direction');
    const text = `default ${printPath(path)}`;
    const key = reader.key([path]);
    return throughWildcards(reader, 'path', [path], (inner) => opOf(key, text, inner!, values));
  },
};

function opOf(
  key: string,
  text: string,
  path: Path,
  values: Readonly<Record<Direction, JsonValue | undefined>>,
): Op {
  const filling = (value: JsonValue | undefined): ValueReading => ({
    convert: (present) => present ?? fresh(value),
  });
  return new InPlaceOp({
    key,
    text,
    path,
    forward: filling(values.forward),
    backward: filling(values.backward),
    readSchema: (reading, direction) => {
      const schema = reading.at(path, text);
      if (schema !== undefined && values[direction] !== undefined)
        reading.put(path, schema, path.length, text);
    },
  });
}
