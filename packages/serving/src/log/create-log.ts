// The log of the command: pino, one JSON object per line on standard error, or readable lines on a terminal.
import pino, { type DestinationStream, type Logger } from 'pino';
import { readableLine } from './readable-line.ts';

/** From which level on messages are written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level?: LogLevel;
  /** Readable lines instead of JSON. */
  readonly readable?: boolean;
  readonly colors?: boolean;
  /** Default: standard error. */
  readonly destination?: { write(text: string): void };
}

/** Fields that are redacted, at the top level or one level down. */
const SECRET_FIELDS = ['authorization', 'token', 'adminToken', 'password', 'secret', 'key', 'cookie'];

/** A log that writes lines of JSON, or readable ones for a terminal. */
export function createLog(options: LogOptions = {}): Logger {
  const { level = 'info', readable = false, colors = false, destination = process.stderr } = options;
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  const stream: DestinationStream = readable
    ? { write: (line) => destination.write(readableLine(line, colors)) }
    : options.destination === undefined
      ? pino.destination({ fd: 2, sync: true })
      : { write: (line) => destination.write(line) };
  return pino(settings, stream);
}
