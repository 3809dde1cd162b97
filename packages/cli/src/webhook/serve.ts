// Runs the host of `instar webhook serve`: one line when it is ready, a graceful shutdown on a signal.
import { createLog } from '@instar/serving';
import { serveWebhooks, type WebhookHost } from '@instar/webhook';
import { run } from '../exit-with-message.ts';
import { cannotStart } from './cannot-start.ts';
import type { WebhookFlags } from './flags.ts';
import { hostOptions } from './host-options.ts';

type Log = ReturnType<typeof createLog>;

export function serveWebhook(flags: WebhookFlags): Promise<void> {
  return run(async () => {
    const isReadable =
      flags.logFormat === undefined ? process.stderr.isTTY === true : flags.logFormat === 'text';
    const log = createLog({
      level: flags.logLevel,
      readable: isReadable,
      colors: process.stderr.isTTY === true,
    });
    const options = await hostOptions(flags);
    const host = await serveWebhooks({ ...options, log }).catch(cannotStart(flags));
    process.stdout.write(`ready ${host.url} ${Object.keys(options.webhooks).join(' ')}\n`);
    surviveStrayErrors(log);
    return untilSignal(host, log);
  });
}

/** An unhandled error of a module's function, outside of any review, must not end the reviews in flight. */
function surviveStrayErrors(log: Log): void {
  const onStray = (error: unknown): void =>
    log.error({ err: error }, 'something failed outside of any review');
  process.on('unhandledRejection', onStray);
  process.on('uncaughtException', onStray);
}

/** Ends the process, or rejects if the shutdown was not graceful. */
function untilSignal(host: WebhookHost, log: Log): Promise<never> {
  return new Promise((_, reject) => {
    let ending = false;
    const onSignal = (signal: string): void => {
      if (ending) process.exit(1);
      ending = true;
      log.info({ signal }, 'shutting down; a second signal exits immediately');
      host.close().then(() => process.exit(0), reject);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
