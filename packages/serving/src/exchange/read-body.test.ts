import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isAnnouncedBeyond, readBody } from './read-body.ts';

/** Takes at most `max` bytes. */
function reading(max = Number.POSITIVE_INFINITY) {
  const body = new PassThrough();
  let taken = '';
  let stop = (): void => {};
  const outcome = new Promise<string>((resolve) => {
    stop = readBody(body, {
      take(chunk) {
        taken += chunk.toString();
        if (taken.length > max) resolve('too much');
        return taken.length <= max;
      },
      done: () => resolve(taken),
      aborted: (error) => resolve(`aborted: ${error?.message ?? 'no error'}`),
    });
  });
  return { body, outcome, stop: () => stop() };
}

const LISTENED = ['data', 'end', 'close'] as const;
const left = (body: PassThrough, before: PassThrough): number =>
  LISTENED.reduce((sum, name) => sum + body.listenerCount(name) - before.listenerCount(name), 0);

describe('a body', () => {
  it('has no listeners left after it is read to its end', async () => {
    const { body, outcome } = reading();
    body.write('a');
    body.end('b');
    expect(await outcome).toBe('ab');
    expect(left(body, new PassThrough())).toBe(0);
  });

  it('is read until the consumer stops, after which errors are ignored', async () => {
    const { body, outcome } = reading(3);
    body.write('four');
    expect(await outcome).toBe('too much');
    expect(left(body, new PassThrough())).toBe(0);
    body.write('more');
    body.destroy(new Error('reset'));
    await new Promise((resolve) => body.once('close', resolve));
  });

  it('may be aborted with or without an error', async () => {
    const quiet = reading();
    quiet.body.destroy();
    expect(await quiet.outcome).toBe('aborted: no error');
    const loud = reading();
    loud.body.destroy(new Error('reset'));
    expect(await loud.outcome).toBe('aborted: reset');
  });

  it('is no longer read after stop', async () => {
    const { body, outcome, stop } = reading();
    stop();
    body.end('a');
    await new Promise((resolve) => body.resume().once('end', resolve));
    expect(await Promise.race([outcome, Promise.resolve('nothing')])).toBe('nothing');
  });
});

it('a body without content-length is not announced beyond the limit', () => {
  expect(['3', '4', undefined].map((length) => isAnnouncedBeyond(3, length))).toEqual([false, true, false]);
});
