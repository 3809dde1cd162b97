// each: operations on every item of a list. perValue: operations on every value of a map. Their paths start
// at the item.
import { ItemsOp } from '../op/items-op.ts';
import { ValuesOp } from '../op/values-op.ts';
import { ITEMS, printPath, VALUES } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';

export const each: OpKind = {
  name: 'each',
  parse(reader) {
    reader.only('path', 'keys', 'rightKeys', 'ops');
    const path = reader.path('path');
    const leftKeys = reader.has('keys') ? reader.texts('keys') : undefined;
    const rightKeys = reader.has('rightKeys') ? reader.texts('rightKeys') : undefined;
    if (path === undefined) return undefined;
    const ops = reader.opsBelow([...path, ITEMS], 'ops');
    const said = { ...(leftKeys && { leftKeys }), ...(rightKeys && { rightKeys }) };
    const keys = leftKeys === undefined ? { ...reader.scope.listKeys(path), ...said } : said;
    const text = `each ${printPath(path)}`;
    const key = reader.key([path]);
    return throughWildcards(
      reader,
      'path',
      [path],
      (inner) => new ItemsOp({ key, text, path: inner!, ops, ...keys }),
    );
  },
};

export const perValue: OpKind = {
  name: 'perValue',
  parse(reader) {
    reader.only('path', 'ops');
    const path = reader.path('path');
    if (path === undefined) return undefined;
    const ops = reader.opsBelow([...path, VALUES], 'ops');
    const key = reader.key([path]);
    return throughWildcards(
      reader,
      'path',
      [path],
      (inner) => new ValuesOp({ key, text: `perValue ${printPath(path)}`, path: inner!, ops }),
    );
  },
};
