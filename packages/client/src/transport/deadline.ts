// One signal out of two reasons to stop: the caller's own, and that it takes too long. (AbortSignal.any keeps
// a trace of every request on a signal that lives as long as its process.)

export interface Deadline {
  readonly signal: AbortSignal;
  /** It was time that ran out, not the caller who gave up. */
  timedOut(): boolean;
  /** Time no longer counts; the caller's signal still does. */
  stopClock(): void;
  /** Must be called when all is over. */
  end(): void;
}

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, timeoutMs);
  const onAbort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => late,
    stopClock: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
