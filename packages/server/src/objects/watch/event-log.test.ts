import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CachedObject } from '../cached-object.ts';
import type { CacheEvent } from './cache-event.ts';
import { EventLog } from './event-log.ts';

function eventAt(revision: number, bytes = 100, previous?: CachedObject): CacheEvent {
  const head = '{"apiVersion":"v1","kind":"A","metadata":{"name":"';
  const value = Buffer.from(`${head}${'x'.repeat(bytes)}"}}`);
  const object = CachedObject.fromEntry({
    key: '/a',
    value,
    createRevision: revision,
    modRevision: revision,
  });
  return { type: previous === undefined ? 'ADDED' : 'MODIFIED', revision, object, previous };
}
const revisions = (events: CacheEvent[] | undefined) => events?.map(({ revision }) => revision);
const sizeOf = ({ object, previous }: CacheEvent) => object.raw.byteLength + (previous?.raw.byteLength ?? 0);

describe('events after a revision', () => {
  const log = new EventLog(3, 1 << 20);
  log.reset(10);
  for (const revision of [11, 13, 13, 17, 20]) log.push(eventAt(revision));

  it('are those with a higher revision', () => {
    expect(revisions(log.after(17))).toEqual([20]);
    expect(revisions(log.after(16))).toEqual([17, 20]);
    expect(revisions(log.after(20))).toEqual([]);
    expect(revisions(log.after(99))).toEqual([]);
  });

  it('are unknown once one of them was dropped, even one of several at its revision', () => {
    expect(log.start).toBe(13);
    expect(revisions(log.after(13))).toEqual([17, 20]);
    expect(log.after(12)).toBeUndefined();
  });

  it('are empty after a reset', () => {
    const other = new EventLog(3, 1 << 20);
    other.push(eventAt(5));
    other.reset(8);
    expect(other.after(7)).toBeUndefined();
    expect(other.after(8)).toEqual([]);
  });
});

it('holds the newest events within its limits', () => {
  const anyPush = fc.record({
    bytes: fc.nat({ max: 400 }),
    step: fc.nat({ max: 2 }),
    hasPrevious: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyPush, { maxLength: 300 }), (pushes) => {
      const log = new EventLog(50, 10_000);
      log.reset(1);
      let revision = 1;
      const all: CacheEvent[] = [];
      for (const { bytes, step, hasPrevious } of pushes) {
        revision += step;
        const event = eventAt(revision, bytes, hasPrevious ? eventAt(revision).object : undefined);
        log.push(event);
        all.push(event);
      }
      const kept = log.after(log.start)!;
      expect(kept.length).toBeLessThanOrEqual(50);
      if (kept.length > 1)
        expect(kept.reduce((sum, event) => sum + sizeOf(event), 0)).toBeLessThanOrEqual(10_000);
      expect(kept).toEqual(all.filter((event) => event.revision > log.start));
    }),
  );
});

it('keeps one event, however large it is', () => {
  const log = new EventLog(10, 100);
  log.push(eventAt(1, 5000));
  log.push(eventAt(2, 5000));
  expect(revisions(log.after(1))).toEqual([2]);
});
