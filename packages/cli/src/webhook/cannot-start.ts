// Why a webhook does not serve, as a sentence for the user.
import { CommandFailure } from '../exit-with-message.ts';
import { fileProblem } from '../file-problem.ts';
import { flagWithValue } from '../flag-with-value.ts';

type Failure = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string };

const LISTENING = { port: '--port', address: '--bind-address' };

export function cannotStart(flags: object, listening = LISTENING): (error: Failure) => never {
  return (error) => {
    throw isOurs(error) ? error : new CommandFailure(reasonOf(error, flags, listening));
  };
}

/** Errors of other classes have their own text, or are bugs. */
const isOurs = ({ name }: Failure): boolean => name !== 'Error' && name !== 'PemFileError';

function reasonOf(
  { code, syscall, port, address, path, message }: Failure,
  flags: object,
  listening: typeof LISTENING,
): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use: choose another with ${listening.port}`;
  if (code === 'EACCES' && syscall === 'listen') return `not allowed to listen on port ${port}`;
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${address}: see ${listening.address}`;
  const flag = flagWithValue(flags, path);
  const text = code === undefined || path === undefined ? message : fileProblem({ code, message, path });
  return flag === undefined ? text : `${flag}: ${text}`;
}
