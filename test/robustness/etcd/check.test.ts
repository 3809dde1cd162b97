// The checker must find each fault that it is for, written manually.
import { describe, expect, it } from 'vitest';
import { check } from './check.ts';
import type { Change, Operation, Segment } from './history.ts';

const changes: Change[] = [
  { key: 'a', revision: 10, value: 'one' },
  { key: 'b', revision: 11, value: 'other' },
  { key: 'a', revision: 12, value: 'two' },
  { key: 'a', revision: 13, value: undefined },
];
const at = (start: number, end: number) => ({ client: 'c', start, end });
const created: Operation = {
  ...at(0, 2),
  key: 'a',
  kind: 'create',
  value: 'one',
  outcome: { type: 'done', revision: 10 },
};
const other: Operation = {
  ...at(0, 3),
  key: 'b',
  kind: 'create',
  value: 'other',
  outcome: { type: 'unknown' },
};
const updated: Operation = {
  ...at(4, 6),
  key: 'a',
  kind: 'update',
  value: 'two',
  expected: 10,
  outcome: { type: 'done', revision: 12 },
};
const deleted: Operation = { ...at(8, 9), key: 'a', kind: 'delete', expected: 12, outcome: { type: 'done' } };
const writes = [created, other, updated, deleted];
const get = (
  start: number,
  end: number,
  seen?: { revision: number; value: string },
  stale = false,
): Operation => ({
  ...at(start, end),
  key: 'a',
  kind: 'get',
  stale,
  seen,
});
const faults = (operations: Operation[], segments: Segment[] = [], happened = changes) =>
  check({ operations, segments, changes: happened });

describe('a history', () => {
  it('is correct if every response was true at some time between request and response', () => {
    const reads = [
      get(5, 7, { revision: 10, value: 'one' }),
      get(5, 7, { revision: 12, value: 'two' }),
      get(8.5, 8.7, undefined),
      get(10, 11, { revision: 10, value: 'one' }, true),
    ];
    expect(faults([...writes, ...reads])).toEqual([]);
  });

  it('is incorrect if an acknowledged write is lost', () => {
    expect(faults(writes, [], changes.slice(0, 3))).toEqual([expect.stringContaining('lost')]);
  });

  it('is incorrect if a consistent read is stale', () => {
    expect(faults([...writes, get(7, 7.5, { revision: 10, value: 'one' })])).toEqual([
      expect.stringContaining('older than 12'),
    ]);
    expect(faults([...writes, get(3, 3.5, undefined)])).toEqual([expect.stringContaining('older than 10')]);
  });

  it('is incorrect if reads go back in time', () => {
    const reads = [
      get(4.5, 5, { revision: 12, value: 'two' }),
      get(5.1, 5.2, { revision: 10, value: 'one' }),
    ];
    expect(faults([...writes, ...reads])).toEqual([expect.stringContaining('older than 12')]);
  });

  it('is incorrect if a read returns what never existed, or too early', () => {
    expect(faults([...writes, get(7, 7.5, { revision: 12, value: 'three' })])).toContainEqual(
      expect.stringContaining('never was'),
    );
    expect(faults([...writes, get(2.5, 3.5, { revision: 12, value: 'two' })])).toContainEqual(
      expect.stringContaining('not been asked for'),
    );
  });

  it('is incorrect if a write happened against its precondition, or although it was refused', () => {
    const racing: Operation = { ...updated, expected: 9 };
    expect(faults([created, other, racing, deleted])).toEqual([
      expect.stringContaining('something else than it expected'),
    ]);
    const refused: Operation = { ...updated, outcome: { type: 'refused', why: 'conflict' } };
    expect(faults([created, other, refused, deleted])).toContainEqual(
      expect.stringContaining('refused write has happened'),
    );
    expect(faults([created, other, updated])).toContainEqual(expect.stringContaining('no client requested'));
  });

  it('is incorrect if a write was refused without reason', () => {
    const refused: Operation = {
      ...at(2.5, 3.5),
      key: 'a',
      kind: 'update',
      value: 'x',
      expected: 10,
      outcome: { type: 'refused', why: 'conflict' },
    };
    expect(faults([...writes, refused])).toEqual([expect.stringContaining('no reason')]);
  });

  it('is incorrect if a list shows another revision than its own', () => {
    const list = (
      start: number,
      revision: number,
      items: [string, { revision: number; value: string }][],
    ): Operation => ({
      ...at(start, start + 0.5),
      kind: 'list',
      revision,
      items: new Map(items),
    });
    const b = ['b', { revision: 11, value: 'other' }] as [string, { revision: number; value: string }];
    expect(faults([...writes, list(10, 13, [b])])).toEqual([]);
    expect(faults([...writes, list(10, 13, [b, ['a', { revision: 12, value: 'two' }]])])).toEqual([
      expect.stringContaining('as it was not'),
    ]);
    expect(faults([...writes, list(10, 11, [b, ['a', { revision: 10, value: 'one' }]])])).toEqual([
      expect.stringContaining('a list is at 11'),
    ]);
  });

  it('is incorrect if a watch has a gap, a repeat or another order', () => {
    const all = [
      { type: 'ADDED', key: 'a', revision: 10, value: 'one' },
      { type: 'ADDED', key: 'b', revision: 11, value: 'other' },
      { type: 'MODIFIED', key: 'a', revision: 12, value: 'two' },
      { type: 'DELETED', key: 'a', revision: 13, value: 'two' },
    ] as const;
    const watched = (...order: number[]) =>
      faults(writes, [{ watcher: 'w', from: 9, events: order.map((index) => all[index]!) }]);
    expect(watched(0, 1, 2, 3)).toEqual([]);
    expect(watched(0, 1)).toEqual([]);
    for (const order of [
      [0, 2, 3],
      [0, 1, 1, 2],
      [1, 0, 2],
      [1, 2, 3],
    ])
      expect(watched(...order)).toEqual([expect.stringContaining('told otherwise')]);
  });
});
