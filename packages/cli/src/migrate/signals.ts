// How a running migration is stopped (SIGINT, SIGTERM) and paused (SIGUSR2, and again to resume).
import type { Pace } from '@instar/migrate';

/** The returned function removes the handlers. A second SIGINT exits immediately. */
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
