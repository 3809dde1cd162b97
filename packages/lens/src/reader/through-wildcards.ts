// Operations whose paths pass through lists or maps: they become operations on the items, with paths that
// start there.
import { ItemsOp } from '../op/items-op.ts';
import type { Op } from '../op/op.ts';
import { ValuesOp } from '../op/values-op.ts';
import { ITEMS, isWildcard, type Path, printPath, samePath, wildcardLength } from '../path/path.ts';
import type { OpReader } from './op-reader.ts';

/**
 * `make` gets the paths from the last wildcard on, in the order given. All must pass through the same lists
 * and maps.
 */
export function throughWildcards(
  reader: OpReader,
  field: string,
  paths: readonly Path[],
  make: (...inner: Path[]) => Op,
): Op | undefined {
  const prefix = paths[0]!.slice(0, wildcardLength(paths[0]!));
  const stranger = paths.find((path) => !samePath(path.slice(0, wildcardLength(path)), prefix));
  if (stranger !== undefined)
    return reader.fail(
      field,
      `${printPath(stranger)} must pass through the same lists and maps as ${printPath(paths[0]!)}`,
    );
  return wrapped(reader, prefix, make(...paths.map((path) => path.slice(prefix.length))));
}

/** From the inside out. */
function wrapped(reader: OpReader, prefix: Path, op: Op): Op {
  const at = prefix.findLastIndex(isWildcard);
  if (at < 0) return op;
  const start = prefix.slice(0, at).findLastIndex(isWildcard) + 1;
  const path = prefix.slice(start, at);
  const options = { key: reader.key([prefix, ...op.paths]), text: op.text, path, ops: [op] };
  const outer =
    prefix[at] === ITEMS
      ? new ItemsOp({ ...options, ...reader.scope.listKeys(prefix.slice(0, at)) })
      : new ValuesOp(options);
  return wrapped(reader, prefix.slice(0, start), outer);
}
