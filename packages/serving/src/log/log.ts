// The interface of a log: fields first, then one sentence. pino's loggers have it, but nothing here loads
// pino.

/** Takes messages with fields. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

const nothing = (): void => {};

/** The default of embedded servers. */
export const SILENT: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
};
