// SIGTERM and SIGINT shut a server down; a second one exits immediately.
import type { RunningServer } from '@instar/server';
import type { Log } from '@instar/serving';

/** Returns a signal that says that the end has begun. */
export function endOnSignals(server: RunningServer, log: Log): AbortSignal {
  const ending = new AbortController();
  const onSignal = (signal: string): void => {
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
    log.info({ signal }, 'shutting down; a second signal exits immediately');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return ending.signal;
}
