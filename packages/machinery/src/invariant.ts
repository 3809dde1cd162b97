// For conditions that only a bug of ours can violate. The server answers with a 500; the stack goes to the
// log, not to the client.

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws unless a condition holds that only a bug could break. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
