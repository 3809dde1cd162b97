// Why a server did not start, as a sentence for the user.
import { resolve } from 'node:path';
import { fileProblem } from '../file-problem.ts';
import { flagWithValue } from '../flag-with-value.ts';
import { FlagError } from './flag-error.ts';

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
 * Errors of listening have an address, those of files a path, others their own message. A storage wraps the
 * system's error.
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
      return `port ${port} of ${address} is in use: choose another with --port, or --port 0 for any`;
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${address}: see --bind-address`;
    case 'EACCES':
    case 'EPERM':
      return `not allowed to listen on ${address}:${port}`;
    default:
      return message;
  }
}

/** Ends the process, as kube-apiserver does, with 1. */
export function fail(error: unknown, flags: { readonly dataDir?: string }): void {
  const hint = error instanceof FlagError ? '\n(instar serve --help lists every flag)' : '';
  process.stderr.write(`error: ${startFailure(error, flags)}${hint}\n`);
  process.exit(1);
}
