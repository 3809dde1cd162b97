// The log of a server, which begins with the flags that have no effect.
import { createLog } from '@instar/serving';
import type { ServeFlags } from './flags.ts';
import { ignoredAmong } from './ignored-flags.ts';
import type { Settings } from './settings.ts';

export function serveLog(flags: ServeFlags, { logLevel }: Settings): ReturnType<typeof createLog> {
  const log = createLog({
    level: logLevel,
    readable: flags.logFormat === undefined ? process.stderr.isTTY === true : flags.logFormat === 'text',
    colors: process.stderr.isTTY === true,
  });
  for (const flag of ignoredAmong(flags))
    log.info({ flag }, 'this flag of kube-apiserver is accepted and has no effect');
  return log;
}
