// A connection can break unnoticed. A watch that the server should have ended long ago is aborted by the
// client.
import type { Clock } from '@instar/serving';
import { ConnectionError } from '../connection-error.ts';

export function endAfter(
  outer: AbortSignal,
  milliseconds: number,
  clock: Clock,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(outer.reason);
  if (outer.aborted) onAbort();
  else outer.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.after(milliseconds, () =>
    controller.abort(new ConnectionError('timeout', 'the watch was not ended by the server in time')),
  );
  return {
    signal: controller.signal,
    end() {
      cancel();
      outer.removeEventListener('abort', onAbort);
    },
  };
}
