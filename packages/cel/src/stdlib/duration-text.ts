// Durations as text: `1h30m`, `1.5s`, `-10ms`; units h, m, s, ms, us, ns.
import { CelError } from '../values/error.ts';
import { Duration } from '../values/time.ts';

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const limit = 2n ** 63n;
const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

const invalid = (): CelError =>
  new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");

export function parseDuration(text: string): Duration | CelError {
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return new Duration(0n);
  if (body === '' || body.length > 256) return invalid();
  let nanos = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < body.length) {
    const match = part.exec(body);
    const added = match === null ? undefined : partNanos(match[1]!, match[2] ?? '', unitNanos[match[3]!]!);
    if (added === undefined) return invalid();
    nanos += added;
  }
  return nanos >= limit ? invalid() : new Duration(negative ? -nanos : nanos);
}

function partNanos(whole: string, fraction: string, unit: bigint): bigint | undefined {
  if (whole === '' && fraction === '') return undefined;
  const exact = BigInt(whole || '0') * unit;
  return fraction === '' ? exact : exact + (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
}

/** In seconds with as many decimals as it takes: `1.5s`. */
export function formatDuration(duration: Duration): string {
  const { nanos } = duration;
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}
