// Why a server did not start, in a sentence for whoever started it.
import { resolve } from 'node:path';
import { fileProblem } from '../file-problem.ts';
import { flagWithValue } from '../flag-with-value.ts';

interface Failure {
  readonly code?: string;
  readonly message: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly syscall?: string;
  readonly cause?: Failure;
}

/**
 * What was being done when it failed decides the words: listening fails with an address, files have a path,
 * and others a message of their own. A storage wraps what the system said.
 */
export function startFailure(error: unknown, flags: { readonly dataDir?: string }): string {
  const { code, syscall, message, address, port, path, cause } = error as Failure;
  if (syscall === 'listen' && address !== undefined) return listenFailure(code, message, address, port);
  if (cause?.path !== undefined && cause.code === 'ENOENT') return startFailure(cause, flags);
  if (syscall === undefined && path === undefined) return message;
  const dataDir = resolve(flags.dataDir ?? '');
  const file = path ?? dataDir;
  const flag =
    flagWithValue(flags, file) ??
    (flags.dataDir !== undefined && file.startsWith(dataDir) ? '--data-dir' : undefined);
  const text = syscall === undefined ? message : fileProblem(error, file);
  return flag === undefined ? text : `${text}: see ${flag}`;
}

function listenFailure(
  code: string | undefined,
  message: string,
  address: string,
  port: number | undefined,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${address} is taken by another process: choose another with --port, or --port 0 for any`;
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${address}: see --bind-address`;
    case 'EACCES':
    case 'EPERM':
      return `not allowed to listen on ${address}:${port}`;
    default:
      return message;
  }
}
