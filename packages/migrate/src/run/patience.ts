// Trying again what may go well later, longer and longer apart, for a bounded time.
import { setTimeout } from 'node:timers/promises';
import { isTransient } from './rewrite-object.ts';

export interface Patience {
  readonly signal: AbortSignal;
  /** After this the last failure is thrown. */
  readonly patienceMs: number;
}

const FIRST_MS = 100;
const MAX_MS = 5_000;

export async function patiently<T>(work: () => Promise<T>, { signal, patienceMs }: Patience): Promise<T> {
  const end = Date.now() + patienceMs;
  for (let delay = FIRST_MS; ; delay = Math.min(delay * 2, MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || Date.now() + delay > end) throw error;
      await setTimeout(delay, undefined, { signal });
    }
  }
}
