// How a running migration is stopped (SIGINT, SIGTERM) and paused (SIGUSR2, and again to go on).
import type { Pace } from '@instar/migrate';

/** The returned function lets go of the signals. A second SIGINT ends the process at once. */
export function onSignals(stop: AbortController, pace: Pace, paused: () => void): () => void {
  const end = (): void => {
    if (stop.signal.aborted) process.kill(process.pid, 'SIGKILL');
    stop.abort(new Error('stopped'));
  };
  const toggle = (): void => {
    if (pace.isPaused) pace.resume();
    else pace.pause();
    paused();
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGUSR2', toggle);
  return () => void process.off('SIGINT', end).off('SIGTERM', end).off('SIGUSR2', toggle);
}
