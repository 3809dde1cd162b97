// How long a request has waited for conversions, for metrics.

export interface ConversionWait {
  milliseconds: number;
}

export async function measureWait<T>(waited: ConversionWait | undefined, work: () => Promise<T>): Promise<T> {
  if (waited === undefined) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    waited.milliseconds += performance.now() - start;
  }
}
