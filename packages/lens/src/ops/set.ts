// set: a constant in the new version. The old value is stashed, and so is what a client writes there in the
// new one.
import { encodeJson } from '@instar/machinery';
import { InPlaceOp } from '../op/in-place-op.ts';
import { fresh } from '../op/reading.ts';
import { printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import { schemaOfValue } from './add.ts';

export const set: OpKind = {
  name: 'set',
  parse(reader) {
    reader.only('path', 'value', 'back');
    const path = reader.path('path');
    const [value, back] = [reader.value('value'), reader.value('back')];
    if (value === undefined) return reader.fail('value', 'must be given');
    if (path === undefined) return undefined;
    const text = `set ${printPath(path)}`;
    const key = reader.key([path]);
    return throughWildcards(
      reader,
      'path',
      [path],
      (inner) =>
        new InPlaceOp({
          key,
          text,
          path: inner!,
          forward: { convert: () => fresh(value) },
          backward: { convert: () => fresh(back) },
          readSchema: (reading, direction) => {
            const constant = direction === 'forward' ? value : back;
            if (reading.declares(inner!))
              reading.report(
                'lossy',
                'info',
                inner!,
                text,
                `becomes ${constant === undefined ? 'nothing' : encodeJson(constant)}`,
              );
            if (constant === undefined) reading.drop(inner!);
            else reading.put(inner!, schemaOfValue(constant), inner!.length, text);
          },
        }),
    );
  },
};
