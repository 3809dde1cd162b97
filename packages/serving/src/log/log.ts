// What the server asks of a log: fields first, then one sentence. pino's loggers have this shape; nothing
// here loads pino.

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

const nothing = (): void => {};

/** The log of embedded servers that were not given one. */
export const SILENT: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
};
