// Waits until a stream has passed on what was written to it.
import type { Writable } from 'node:stream';

/** Also resolves when the stream closes. */
export function drainOf(to: Writable): Promise<void> {
  if (!to.writableNeedDrain || to.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done).off('close', done);
      resolve();
    };
    to.on('drain', done).on('close', done);
  });
}
