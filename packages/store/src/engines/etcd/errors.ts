// Maps etcd's errors to those of a store: the only such table. Texts are etcd's own, which operators look up.
import { StoreError, type StoreErrorCode } from '../../store.ts';
import { GRPC, GrpcError } from './grpc/status.ts';

const BY_TEXT: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/required revision has been compacted/, 'compacted'],
  [/required revision is a future revision/, 'future-revision'],
  [/database space exceeded/, 'full'],
  [
    /request is too large|received message larger than max|too many operations|key is not provided|duplicate key/,
    'invalid',
  ],
  [/corrupt/, 'corrupt'],
];

export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof GrpcError))
    return new StoreError('unavailable', `etcd: ${(error as Error).message}`, { cause: error });
  const code =
    BY_TEXT.find(([text]) => text.test(error.message))?.[1] ??
    (error.code === GRPC.dataLoss ? 'corrupt' : 'unavailable');
  return new StoreError(
    code,
    error.message.startsWith('etcdserver: ') ? error.message : `etcd: ${error.message}`,
    { cause: error },
  );
}

/** True if a retry, perhaps with another member, may help. Not for a write that may have happened. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof GrpcError)) return false;
  return (
    error.code === GRPC.unavailable ||
    error.code === GRPC.deadlineExceeded ||
    /too many requests/.test(error.message)
  );
}

/** True if the request certainly had no effect, so that even a write may be retried. */
export function hadNoEffect(error: unknown): boolean {
  return (
    error instanceof GrpcError &&
    (error.unsent || /no leader|too many requests|not capable/.test(error.message))
  );
}

/** The lease of an entry has expired itself, so nothing was written. */
export const isLeaseLost = (error: unknown): boolean =>
  error instanceof StoreError && error.message.includes('requested lease not found');
