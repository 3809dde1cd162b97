import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pumpParts } from './pump.ts';

/** Reads its input only when it reports it as written, as the kernel does. */
class LateReader extends Writable {
  readonly seen: Buffer[] = [];
  waiting = 0;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.waiting = Math.max(this.waiting, chunk.length);
    setImmediate(() => {
      this.seen.push(Buffer.from(chunk));
      done();
    });
  }
}

const part = (length: number, at: number): Buffer => Buffer.alloc(length, `${at} `);

describe('a body in parts', () => {
  it.each([
    ['none', []],
    ['one', [10]],
    ['many small ones', Array.from({ length: 5_000 }, (_, at) => at % 300)],
    ['empty ones', [0, 0, 5, 0]],
    ['some that are larger than a piece', [10, 300_000, 20, 131_072, 131_073, 1]],
  ])('arrives whole and in order: %s', async (_, lengths) => {
    const parts = lengths.map(part);
    const reader = new LateReader();
    pumpParts(reader, parts);
    await new Promise((resolve) => reader.once('finish', resolve));
    expect(Buffer.concat(reader.seen).equals(Buffer.concat(parts))).toBe(true);
    expect(reader.waiting).toBeLessThanOrEqual(Math.max(131_072, ...lengths));
  });

  it('ends when the client disconnects', async () => {
    const reader = new LateReader();
    pumpParts(
      reader,
      Array.from({ length: 100 }, (_, at) => part(100_000, at)),
    );
    await nextTurn();
    reader.destroy();
    await nextTurn();
    await nextTurn();
    expect(reader.seen.length).toBeLessThan(5);
  });
});
