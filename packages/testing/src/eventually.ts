// Waits for asynchronous conditions. Tests never sleep for a fixed time instead: that is too short on a busy
// machine and too long on every other.

// Saved before any test replaces them with fake timers.
const { setTimeout, setImmediate } = globalThis;
const now = performance.now.bind(performance);

/** Most conditions within this process hold after a few turns of the event loop. */
const TURNS = 50;

export interface EventuallyOptions<T> {
  /** Whether the value is the expected one; by default, whether it is truthy. */
  readonly holds?: (value: T) => boolean;
  readonly timeoutMs?: number;
  /** The pause between attempts, after some without a pause. */
  readonly intervalMs?: number;
  /** What the failure shows instead of the last value of the condition. */
  readonly state?: () => unknown;
}

/**
 * Calls the condition until it returns a value that holds, and resolves to that value. A condition that
 * throws does not hold yet. The failure contains the description, and what was returned or thrown last.
 */
export async function eventually<T>(
  description: string,
  condition: () => T | Promise<T>,
  { holds = Boolean, timeoutMs = 10_000, intervalMs = 10, state }: EventuallyOptions<T> = {},
): Promise<T> {
  const deadline = now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    let last: { readonly value: T } | { readonly error: unknown };
    try {
      last = { value: await condition() };
      if (holds(last.value)) return last.value;
    } catch (error) {
      last = { error };
    }
    if (now() >= deadline) throw failureOf(description, timeoutMs, last, state);
    await pause(tries < TURNS ? 0 : intervalMs);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (milliseconds === 0) setImmediate(resolve);
    else setTimeout(resolve, milliseconds);
  });
}

function failureOf(
  description: string,
  timeoutMs: number,
  last: { readonly value: unknown } | { readonly error: unknown },
  state?: () => unknown,
): Error {
  const waited = `timed out after ${timeoutMs} ms waiting for ${description}`;
  if ('error' in last)
    return new Error(`${waited}; last error: ${messageOf(last.error)}`, { cause: last.error });
  return new Error(`${waited}; last state: ${textOf(state === undefined ? last.value : state())}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

/**
 * Waits until pending work of this process is done, for tests in which something must not happen. Covers only
 * work that needs no timer, socket or file.
 */
export async function settled(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await pause(0);
}
