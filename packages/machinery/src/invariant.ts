// For what can only fail through a bug of ours. The server answers it with a 500; the log has the stack, the
// client does not.

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
