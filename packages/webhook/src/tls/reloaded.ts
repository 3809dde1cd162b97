// What is made of files that somebody else may replace: made again when they change. What cannot be read
// leaves the old in place.
import { type Log, whenChanged } from '@instar/serving';

export interface Reloaded<T> {
  readonly current: T;
  start(onChange: (value: T) => void): void;
  stop(): void;
}

export interface ReloadOptions {
  /** For the log: "the TLS certificates". */
  readonly what: string;
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 5_000;

export async function reloaded<T>(
  files: readonly string[],
  read: () => Promise<T>,
  log: Log,
  { what, lookEveryMs = LOOK_EVERY_MS }: ReloadOptions,
): Promise<Reloaded<T>> {
  let current = await read();
  let timer: NodeJS.Timeout | undefined;
  const renewed = async (): Promise<boolean> => {
    try {
      current = await read();
      return true;
    } catch (error) {
      log.error({ err: error }, `${what} could not be read again; what was read before stays`);
      return false;
    }
  };
  return {
    get current() {
      return current;
    },
    start(onChange) {
      const look = async (): Promise<boolean> => {
        if (!(await renewed())) return false;
        onChange(current);
        log.info({}, `${what} were read again`);
        return true;
      };
      timer = setInterval(whenChanged(files, look), lookEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
