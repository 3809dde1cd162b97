// How a running migration is stopped (SIGINT, SIGTERM) and paused (SIGUSR2, and again to go on).
import type { Pace } from '@instar/migrate';

/** The returned function lets go of the signals. A second SIGINT ends the process at once. */
export function onSignals(stop: AbortController, pace: Pace): () => void {
  const end = (): void => {
    if (stop.signal.aborted) process.kill(process.pid, 'SIGKILL');
    stop.abort(new Error('stopped'));
  };
  const toggle = (): void => (pace.isPaused ? pace.resume() : pace.pause());
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGUSR2', toggle);
  return () => void process.off('SIGINT', end).off('SIGTERM', end).off('SIGUSR2', toggle);
}
