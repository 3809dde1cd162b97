// How a command ends if it cannot do its work: one line on standard error, and an exit code. 1 is for what a
// command has found or failed to do, as its help says; anything that keeps it from working is 2, so that
// scripts can distinguish them. No stack trace, unless it is our own bug.
import { fileProblem } from './file-problem.ts';

/** The exit code of a command that could not start. */
export const COULD_NOT = 2;

/** Thrown if the text is all that the user needs. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode = COULD_NOT) {
    super(message);
    this.exitCode = exitCode;
  }
}

const EXPECTED = new Set([
  'CommandFailure',
  'ApiError',
  'ConnectionError',
  'KubeconfigError',
  'PluginError',
  'LensError',
  'MigrationError',
  'YamlError',
]);

/** Runs a command and sets the exit code; never throws. */
export async function run(work: () => Promise<number | undefined>): Promise<void> {
  // What was printed may still be on its way when the work is done.
  if (!process.stdout.listeners('error').includes(endWithReader)) process.stdout.on('error', endWithReader);
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    process.stderr.write(`error: ${textOf(error)}\n`);
    process.exitCode = error instanceof CommandFailure ? error.exitCode : COULD_NOT;
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.has(error.name)) return error.message;
  if ('syscall' in error) return 'path' in error ? fileProblem(error) : error.message;
  return `this should not happen, and is a bug of instar: ${error.stack}`;
}

/** The reader of the output has closed it (`| head`). */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
