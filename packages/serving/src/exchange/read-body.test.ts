import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { announcesMoreThan, readBody } from './read-body.ts';

/** Takes at most so many bytes. */
function reading(most = Number.POSITIVE_INFINITY) {
  const body = new PassThrough();
  let taken = '';
  let stop = (): void => {};
  const outcome = new Promise<string>((resolve) => {
    stop = readBody(body, {
      take(chunk) {
        taken += chunk.toString();
        if (taken.length > most) resolve('too much');
        return taken.length <= most;
      },
      done: () => resolve(taken),
      broken: (error) => resolve(`broken: ${error?.message ?? 'no error'}`),
    });
  });
  return { body, outcome, stop: () => stop() };
}

const LISTENED = ['data', 'end', 'close'] as const;
const left = (body: PassThrough, before: PassThrough): number =>
  LISTENED.reduce((sum, name) => sum + body.listenerCount(name) - before.listenerCount(name), 0);

describe('a body', () => {
  it('is read to its end, and nothing listens to it then', async () => {
    const { body, outcome } = reading();
    body.write('a');
    body.end('b');
    expect(await outcome).toBe('ab');
    expect(left(body, new PassThrough())).toBe(0);
  });

  it('is read no further than is wanted, and what comes then does no harm', async () => {
    const { body, outcome } = reading(3);
    body.write('four');
    expect(await outcome).toBe('too much');
    expect(left(body, new PassThrough())).toBe(0);
    body.write('more');
    body.destroy(new Error('reset'));
    await new Promise((resolve) => body.once('close', resolve));
  });

  it('may break off, with an error or without', async () => {
    const quiet = reading();
    quiet.body.destroy();
    expect(await quiet.outcome).toBe('broken: no error');
    const loud = reading();
    loud.body.destroy(new Error('reset'));
    expect(await loud.outcome).toBe('broken: reset');
  });

  it('can be left alone', async () => {
    const { body, outcome, stop } = reading();
    stop();
    body.end('a');
    await new Promise((resolve) => body.resume().once('end', resolve));
    expect(await Promise.race([outcome, Promise.resolve('nothing')])).toBe('nothing');
  });
});

it('a length is compared with the limit only where one was announced', () => {
  expect(['3', '4', undefined].map((length) => announcesMoreThan(3, length))).toEqual([false, true, false]);
});
