import { describe, expect, it } from 'vitest';
import { entryOf, wholeRecord } from './version-records.ts';

const recordOf = (value: Buffer) =>
  wholeRecord((size) => Buffer.alloc(size), {
    value,
    createRevision: 1,
    modRevision: 2,
    extra: 0,
    leaning: 0,
  });

describe('the record of a value that repeats itself', () => {
  it('is packed', () => {
    const value = Buffer.from('{"name":"something"},'.repeat(10_000));
    expect(recordOf(value).length).toBeLessThan(value.length);
  });

  it('is not packed if that would take long, and is read the same', () => {
    const value = Buffer.from('{"name":"something"},'.repeat(30_000));
    const record = recordOf(value);
    expect(record.length).toBeGreaterThan(value.length);
    expect(Buffer.from(entryOf('/a', record).value).equals(value)).toBe(true);
  });
});
