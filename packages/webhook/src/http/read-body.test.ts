import { PassThrough } from 'node:stream';
import { SpareMemory } from '@instar/serving';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InFlight } from './in-flight.ts';
import { readReview } from './read-body.ts';

const LIMITS = { maxInFlight: 2, maxBytesInFlight: 100 };
let inFlight: InFlight;
let memory: SpareMemory;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  inFlight = new InFlight(LIMITS);
  memory = new SpareMemory();
});
afterEach(() => {
  inFlight.stop();
  vi.useRealTimers();
});

interface Reading {
  readonly body: PassThrough;
  readonly outcome: Promise<string | number>;
}

/** The outcome is the text, or the code of the answer, or `aborted`. */
function read(limit = 50, contentLength?: string): Reading | undefined {
  const review = inFlight.enter();
  if (review === undefined) return undefined;
  const body = new PassThrough();
  const outcome = new Promise<string | number>((resolve) => {
    readReview(
      { body, headers: { 'content-length': contentLength } },
      {
        inFlight,
        review,
        limit,
        memory,
        done: (bytes) => resolve(Buffer.from(bytes).toString()),
        failed: (error) => {
          inFlight.leave(review);
          resolve(error === 'aborted' ? error : error.code);
        },
      },
    );
  });
  return { body, outcome };
}

describe('a body', () => {
  it('is read whole', async () => {
    const { body, outcome } = read()!;
    for (const text of ['a', 'b', 'c']) body.write(text);
    body.end();
    expect(await outcome).toBe('abc');
    const empty = read()!;
    empty.body.end();
    expect(await empty.outcome).toBe('');
  });

  it('must not exceed its limit, with or without content-length', async () => {
    expect(await read(50, '51')!.outcome).toBe(413);
    const { body, outcome } = read()!;
    body.write('x'.repeat(51));
    expect(await outcome).toBe(413);
    expect(inFlight.count).toBe(0);
  });

  it('may be aborted by the client', async () => {
    const { body, outcome } = read()!;
    body.write('x');
    body.destroy();
    expect(await outcome).toBe('aborted');
    const other = read()!;
    other.body.destroy(new Error('reset'));
    expect(await other.outcome).toBe('aborted');
  });

  it('must arrive in time', async () => {
    const { outcome } = read()!;
    vi.advanceTimersByTime(36_000);
    expect(await outcome).toBe(504);
    expect(inFlight.count).toBe(0);
  });
});

describe('all bodies together', () => {
  it('are bounded in number', () => {
    expect([read(), read(), read()].map((one) => one !== undefined)).toEqual([true, true, false]);
  });

  it('are bounded in bytes until they are released', async () => {
    const [a, b] = [read(90)!, read(90)!];
    a.body.write('x'.repeat(60));
    b.body.write('x'.repeat(60));
    expect(await b.outcome).toBe(429);
    const c = read(90)!;
    c.body.end('x'.repeat(30));
    expect(await c.outcome).toHaveLength(30);
  });
});
