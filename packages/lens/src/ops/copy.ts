// copy: the new version has a value twice. In reverse it is taken from its original path; a copy that differs
// is stashed.
import type { Direction } from '../op/op.ts';
import { SlotOp } from '../op/slot-op.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';

export const copy: OpKind = {
  name: 'copy',
  parse(reader) {
    reader.only('from', 'to');
    const [from, to] = [reader.path('from'), reader.path('to')];
    if (from === undefined || to === undefined || !reader.areApart([from, to], 'to')) return undefined;
    const text = `copy ${printPath(from)} → ${printPath(to)}`;
    const key = reader.key([from, to]);
    return throughWildcards(
      reader,
      'to',
      [from, to],
      (source, target) =>
        new SlotOp({
          key,
          text,
          left: [source!],
          right: [source!, target!],
          forward: { convert: (values) => [values[0], values[0]] },
          backward: { convert: (values) => [values[0]] },
          readSchema: schemaOf(text, source!, target!),
        }),
    );
  },
};

const schemaOf = (op: string, from: Path, to: Path) => (reading: SchemaReading, direction: Direction) => {
  const schema = reading.at(from, op);
  if (schema === undefined) return;
  if (direction === 'forward') return reading.put(to, schema, reading.sureFrom([from], to), op);
  if (reading.at(to, op) === undefined) return;
  reading.report('lossy', 'info', to, op, `is not carried where it differs from ${printPath(from)}`);
  reading.clear(to, [from]);
};
