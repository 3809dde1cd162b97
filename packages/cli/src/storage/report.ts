// How storage commands end: a sentence on standard error and an exit code, never a stack trace.
import { startFailure } from '../serve/failure.ts';
import { stayingAlive } from '../staying-alive.ts';

export async function reported(flags: object, work: () => Promise<void>): Promise<void> {
  try {
    await stayingAlive(work());
  } catch (error) {
    process.stderr.write(`error: ${startFailure(error, flags)}\n`);
    process.exitCode = 1;
  }
}

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Prints the progress now and then, on a terminal only. */
export function progressOf(what: string): (count: number) => void {
  let told = 0;
  return (count) => {
    if (process.stderr.isTTY !== true || Date.now() - told < 500) return;
    told = Date.now();
    process.stderr.write(`\r${what} ${count.toLocaleString('en')} `);
  };
}
