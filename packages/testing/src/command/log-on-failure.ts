// The cause of a failed test is often in the log of a server, which is removed with the server.
import { beforeEach } from 'vitest';
import type { ServerProcess } from './server-process.ts';

/** Only the end of a long log is printed. */
const MAX_LOG_CHARACTERS = 20_000;

/** Prints the logs of these servers after each test of the file or suite that fails. */
export function printLogsOnFailure(servers: () => readonly (ServerProcess | undefined)[]): void {
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => {
      for (const server of servers()) if (server !== undefined) console.error(logText(server));
    });
  });
}

function logText({ port, log }: ServerProcess): string {
  const end = log.slice(-MAX_LOG_CHARACTERS);
  return `log of the server on port ${port}${end.length < log.length ? ' (its end)' : ''}:\n${end}`;
}
