// How long a request has waited for conversions, for metrics.

export interface Waited {
  milliseconds: number;
}

export async function timed<T>(waited: Waited | undefined, work: () => Promise<T>): Promise<T> {
  if (waited === undefined) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    waited.milliseconds += performance.now() - start;
  }
}
