/** While waiting for an unreachable storage, nothing else would keep the process from exiting silently. */
export async function stayingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
