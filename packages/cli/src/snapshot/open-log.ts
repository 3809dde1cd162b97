// The log that the flags ask for; separate from the flags, because pino takes time to load.
import { createLog } from '@instar/serving';
import type { LogFlags } from './log-flags.ts';

export function openLog({ logLevel, logFormat }: LogFlags): ReturnType<typeof createLog> {
  const readable = logFormat === undefined ? process.stderr.isTTY === true : logFormat === 'text';
  return createLog({ level: logLevel, readable, colors: process.stderr.isTTY === true });
}
