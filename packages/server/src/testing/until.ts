// Waiting for what happens by itself, turn by turn of the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURNS = 5_000;

/** Resolves when the check answers with something true; fails when it does not for too long. */
export async function until(check: () => unknown): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    if (await check()) return;
    await nextTurn();
  }
  throw new Error(`it never came to ${check}`);
}

/** Lets everything happen that is about to, for tests that nothing does. */
export async function settle(turns = 50): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}
