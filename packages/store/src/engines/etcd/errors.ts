// etcd's errors as those of a store: the one table. Texts are etcd's own, which operators look up.
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

/**
 * True if trying again, perhaps with another member, may help. Never to be asked of a write that may have
 * happened.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof GrpcError)) return false;
  return (
    error.code === GRPC.unavailable ||
    error.code === GRPC.deadlineExceeded ||
    /too many requests/.test(error.message)
  );
}

/** True if the request cannot have had an effect, so that even a write may be repeated. */
export function hadNoEffect(error: unknown): boolean {
  return (
    error instanceof GrpcError &&
    (error.unsent || /no leader|too many requests|not capable/.test(error.message))
  );
}

/** The lease of an entry that should expire has gone itself, so that nothing was written. */
export const isLeaseLost = (error: unknown): boolean =>
  error instanceof StoreError && error.message.includes('requested lease not found');
