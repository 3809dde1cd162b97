// SIGTERM and SIGINT shut a server down; a second one exits immediately.
import type { RunningServer } from '@instar/server';
import type { Log } from '@instar/serving';

export function endOnSignals(server: RunningServer, log: Log): void {
  let ending = false;
  const onSignal = (signal: string): void => {
    if (ending) process.exit(1);
    ending = true;
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
}
