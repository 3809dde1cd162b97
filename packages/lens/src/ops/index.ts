// Every operation, by its key in the document.
import type { OpKind } from '../reader/op-kind.ts';
import { add, remove } from './add.ts';
import { box, unbox } from './box.ts';
import { cast } from './cast.ts';
import { cel } from './cel.ts';
import { copy } from './copy.ts';
import { defaulted } from './default.ts';
import { each, perValue } from './each.ts';
import { entries, keyBy } from './key-by.ts';
import { map } from './map.ts';
import { hoist, move, plunge, rename } from './move.ts';
import { set } from './set.ts';
import { join, split } from './split.ts';
import { mergeObjects, splitObject } from './split-object.ts';
import { when } from './when.ts';
import { head, wrap } from './wrap.ts';

const ALL: readonly OpKind[] = [
  rename,
  move,
  hoist,
  plunge,
  add,
  remove,
  defaulted,
  wrap,
  head,
  box,
  unbox,
  split,
  join,
  map,
  cast,
  keyBy,
  entries,
  each,
  perValue,
  copy,
  set,
  splitObject,
  mergeObjects,
  when,
  cel,
];

export const OP_KINDS: ReadonlyMap<string, OpKind> = new Map(ALL.map((kind) => [kind.name, kind]));
