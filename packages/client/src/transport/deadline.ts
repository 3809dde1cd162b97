// One signal for two reasons to abort: the caller's signal, and the timeout. (AbortSignal.any leaks memory
// for every request on a signal that lives as long as the process.)

export interface RequestDeadline {
  readonly signal: AbortSignal;
  /** The timeout is over; the caller did not abort. */
  timedOut(): boolean;
  /** Cancels the timeout; the caller's signal still applies. */
  stopClock(): void;
  /** Must be called when the request is over. */
  end(): void;
}

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): RequestDeadline {
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
