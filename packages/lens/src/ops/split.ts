// split: a string becomes several. join: several become one. Each is the reverse of the other. Parts that are
// missing at the end are left out, so "host" without a port is only a host.
import type { JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';
import type { Direction, Op } from '../op/op.ts';
import type { ManyReading, Values } from '../op/reading.ts';
import { SlotOp } from '../op/slot-op.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import { expectType, type SchemaReading } from '../schema/schema-reading.ts';

export const split: OpKind = {
  name: 'split',
  parse(reader) {
    reader.only('from', 'separator', 'to', 'at', 'missing');
    return splitOp(reader, 'forward', reader.path('from'), reader.paths('to'), 'to');
  },
};

export const join: OpKind = {
  name: 'join',
  parse(reader) {
    reader.only('from', 'separator', 'to', 'at', 'missing');
    return splitOp(reader, 'backward', reader.path('to'), reader.paths('from'), 'from');
  },
};

/** `splits`: the direction in which the parts are created. */
function splitOp(
  reader: OpReader,
  splits: Direction,
  whole: Path | undefined,
  parts: Path[] | undefined,
  field: string,
): Op | undefined {
  const separator = reader.text('separator');
  const at = reader.choice('at', ['first', 'last'], 'first');
  const isStrict = reader.choice('missing', ['leave', 'error'], 'leave') === 'error';
  if (whole === undefined || parts === undefined || separator === undefined) return undefined;
  if (parts.length < 2) return reader.fail(field, 'must name at least two parts');
  if (!reader.areApart([whole, ...parts], field)) return undefined;
  const names = parts.map(printPath).join(', ');
  const text =
    splits === 'forward' ? `split ${printPath(whole)} → ${names}` : `join ${names} → ${printPath(whole)}`;
  const key = reader.key([whole, ...parts]);
  return throughWildcards(reader, field, [whole, ...parts], (one, ...many) => {
    const splitting = splittingOf(one!, separator, many.length, at, isStrict);
    const joining = joiningOf(many, separator);
    const [left, right, forward, backward] =
      splits === 'forward' ? [[one!], many, splitting, joining] : [many, [one!], joining, splitting];
    return new SlotOp({
      key,
      text,
      left,
      right,
      forward,
      backward,
      readSchema: schemaOf(text, splits, one!, many, isStrict),
    });
  });
}

const splittingOf = (
  path: Path,
  separator: string,
  count: number,
  at: 'first' | 'last',
  isStrict: boolean,
): ManyReading => ({
  convert: (wholes) => {
    const whole = wholes[0];
    if (whole === undefined || whole === null) return new Array<undefined>(count).fill(undefined);
    const parts = partsOf(asText(whole, path), separator, count, at);
    if (isStrict && parts[count - 1] === undefined)
      throw new LensError(
        'value',
        `${JSON.stringify(whole)} must have ${count} parts with ${JSON.stringify(separator)} between them`,
        printPath(path),
      );
    return parts;
  },
});

function partsOf(whole: string, separator: string, count: number, at: 'first' | 'last'): Values {
  const parts: (string | undefined)[] = whole.split(separator);
  const surplus = parts.length - count;
  if (surplus > 0) {
    const start = at === 'first' ? count - 1 : 0;
    parts.splice(start, surplus + 1, parts.slice(start, start + surplus + 1).join(separator));
  }
  while (parts.length < count) parts.push(undefined);
  return parts;
}

const joiningOf = (paths: readonly Path[], separator: string): ManyReading => ({
  convert: (parts) => {
    let last = parts.length - 1;
    while (last >= 0 && isMissing(parts[last])) last--;
    if (last < 0) return [undefined];
    let whole = '';
    for (let i = 0; i <= last; i++)
      whole += (i > 0 ? separator : '') + (isMissing(parts[i]) ? '' : asText(parts[i]!, paths[i]!));
    return [whole];
  },
});

const isMissing = (part: JsonValue | undefined): boolean => part === undefined || part === null;

function asText(value: JsonValue, path: Path): string {
  if (typeof value === 'string') return value;
  throw new LensError(
    'value',
    `is not a string; cast it ${typeof value === 'number' ? 'from integer to string ' : ''}first`,
    printPath(path),
  );
}

const schemaOf =
  (op: string, splits: Direction, one: Path, many: readonly Path[], isStrict: boolean) =>
  (reading: SchemaReading, direction: Direction) => {
    const [from, to] = direction === splits ? [[one], many] : [many, [one]];
    for (const path of from) {
      const schema = reading.at(path, op);
      if (schema !== undefined) expectType(reading, path, op, schema, ['string']);
    }
    // Only the first part is certain: the others need separators.
    const sure = to.map((path, i) =>
      direction === splits && i > 0 && !isStrict ? undefined : reading.sureFrom(from.slice(0, 1), path),
    );
    if (direction !== splits)
      reading.report(
        'lossy',
        'info',
        many[0]!,
        op,
        'parts that contain the separator, or that are missing before others, cannot be distinguished in one string',
      );
    for (const path of from) reading.clear(path, to);
    for (const [i, path] of to.entries()) reading.put(path, { type: 'string' }, sure[i], op);
  };
