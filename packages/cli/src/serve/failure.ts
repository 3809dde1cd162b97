// Why a server did not start, in a sentence for whoever started it.

interface Failure {
  readonly code?: string;
  readonly name?: string;
  readonly message: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly syscall?: string;
}

/** What was being done when it failed decides the words: listening fails with an address, everything else with a path or a message of its own. */
export function startFailure(error: unknown, dataDir: string): string {
  const failure = error as Failure;
  const where = `${failure.address ?? 'the address'}:${failure.port ?? ''}`;
  switch (failure.code) {
    case 'EADDRINUSE':
      return `port ${failure.port} of ${failure.address} is taken by another process: choose another with --port, or --port 0 for any`;
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${failure.address}: see --bind-address`;
    case 'EACCES':
    case 'EPERM':
      return failure.syscall === 'listen' ? `not allowed to listen on ${where}` : `not allowed to use ${failure.path ?? dataDir}`;
    case 'ENOENT':
      return `${failure.path ?? 'a file'} does not exist`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${failure.path ?? dataDir} is not a directory: see --data-dir`;
    case 'EROFS':
    case 'ENOSPC':
      return `cannot write to ${failure.path ?? dataDir}: ${failure.message}`;
    default:
      return failure.message;
  }
}
