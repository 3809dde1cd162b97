// What every engine refuses with the same error, before it does anything.
import { type Commit, type ListOptions, type Operation, StoreError } from './store.ts';

/** In UTF-8 bytes; LMDB's own limit is near 2,000, and Kubernetes keys stay below 900. */
const MAX_KEY_BYTES = 1024;

export function checkCommit({ conditions, operations }: Commit): void {
  for (const operation of operations) checkOperation(operation);
  for (const { key } of conditions) if (key !== operations[0]?.key) checkKey(key);
  if (
    operations.length > 1 &&
    new Set(operations.map((operation) => operation.key)).size < operations.length
  ) {
    throw new StoreError('invalid', 'a commit must have only one operation per key');
  }
}

function checkOperation(operation: Operation): void {
  checkKey(operation.key);
  if (operation.type === 'put' && operation.ttlSeconds !== undefined && !(operation.ttlSeconds > 0)) {
    throw new StoreError('invalid', `ttlSeconds of ${JSON.stringify(operation.key)} must be above 0`);
  }
}

export function checkKey(key: string): void {
  if (key.length === 0) throw new StoreError('invalid', 'a key must not be empty');
  // A unit takes at most three bytes, so most keys need no counting.
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new StoreError(
      'invalid',
      `a key must not be longer than ${MAX_KEY_BYTES} bytes: ${JSON.stringify(key.slice(0, 80))}…`,
    );
  }
  checkText(key);
}

function checkText(text: string): void {
  if (text.includes('\0'))
    throw new StoreError('invalid', `a key must not contain a NUL: ${JSON.stringify(text)}`);
  if (SURROGATE.test(text) && LONE_SURROGATE.test(text))
    throw new StoreError('invalid', `a key must be well-formed Unicode: ${JSON.stringify(text)}`);
}

const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function checkList(options: ListOptions): void {
  checkText(options.prefix);
  if (options.after !== undefined) checkText(options.after);
  if (options.revision !== undefined) checkRevision(options.revision);
  if (options.limit !== undefined && !(Number.isInteger(options.limit) && options.limit > 0)) {
    throw new StoreError('invalid', `limit must be a whole number above 0, not ${options.limit}`);
  }
}

export function checkRevision(revision: number): void {
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw new StoreError('invalid', `${revision} is not a revision`);
}

export function compactedError(revision: number, compactedRevision: number): StoreError {
  return new StoreError(
    'compacted',
    `revision ${revision} was compacted; the oldest that is left is ${compactedRevision}`,
    {
      compactedRevision,
    },
  );
}

export function futureError(revision: number, currentRevision: number): StoreError {
  return new StoreError(
    'future-revision',
    `revision ${revision} has not happened yet; the newest is ${currentRevision}`,
  );
}

export const closedError = (): StoreError => new StoreError('closed', 'the store is closed');
