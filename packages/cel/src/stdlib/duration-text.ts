// Durations as text: parsed in Go's notation, printed in seconds.
import { parseGoDuration } from '@instar/go';
import { CelError } from '../values/error.ts';
import { Duration } from '../values/time.ts';

export function parseDuration(text: string): Duration | CelError {
  const nanos = parseGoDuration(text);
  return typeof nanos === 'bigint'
    ? new Duration(nanos)
    : new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
}

/** In seconds with as many decimals as it takes: `1.5s`. */
export function formatDuration(duration: Duration): string {
  const { nanos } = duration;
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}
