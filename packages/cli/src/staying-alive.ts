/**
 * While a storage that cannot be reached is waited for, there is nothing else that would keep the process
 * from ending without a word.
 */
export async function stayingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
