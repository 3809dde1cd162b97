// A value read from files: reloaded when they change. If they cannot be read, the old value stays.
import { type Log, whenChanged } from '@instar/serving';

export interface Reloaded<T> {
  readonly current: T;
  start(onChange: (value: T) => void): void;
  stop(): void;
}

export interface ReloadOptions {
  /** For the log: "the TLS certificates". */
  readonly what: string;
  readonly pollMs?: number;
}

const POLL_MS = 5_000;

export async function reloaded<T>(
  files: readonly string[],
  read: () => Promise<T>,
  log: Log,
  { what, pollMs = POLL_MS }: ReloadOptions,
): Promise<Reloaded<T>> {
  let current = await read();
  let timer: NodeJS.Timeout | undefined;
  const readAgain = async (): Promise<boolean> => {
    try {
      current = await read();
      return true;
    } catch (error) {
      log.error({ err: error }, `${what} could not be reloaded; the old ones stay`);
      return false;
    }
  };
  return {
    get current() {
      return current;
    },
    start(onChange) {
      const reload = async (): Promise<boolean> => {
        if (!(await readAgain())) return false;
        onChange(current);
        log.info({}, `${what} were reloaded`);
        return true;
      };
      timer = setInterval(whenChanged(files, reload), pollMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
