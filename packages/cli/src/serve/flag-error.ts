/** Flags that contradict each other, or name a file that cannot be used. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}
