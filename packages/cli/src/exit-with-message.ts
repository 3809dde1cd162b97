// How commands end that cannot do what they were asked: one line on standard error, and an exit code. No stack, unless it is our own bug.

/** Thrown where the text is all that the user needs. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
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

/** Files that are not there or may not be read say so themselves. */
const isExpected = (error: Error): boolean => EXPECTED.has(error.name) || 'syscall' in error;

/** Runs a command and sets the exit code; never throws what a user can do something about. */
export async function run(work: () => Promise<number | undefined>): Promise<void> {
  process.stdout.on('error', endWithReader);
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = error instanceof CommandFailure ? error.exitCode : 1;
  } finally {
    process.stdout.off('error', endWithReader);
  }
}

/** Whoever reads the output has seen enough (`| head`). */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
