// Maps errors that are thrown on purpose to the Status that clients get, including all errors of the store.
import { ApiError, apiErrors } from '@instar/machinery';
import { StoreError, type StoreErrorCode } from '@instar/store';

const UNAVAILABLE = 'the storage of the server cannot take the request now';

const TABLE: Record<StoreErrorCode, (error: StoreError) => ApiError> = {
  compacted: () => apiErrors.expired('The resourceVersion for the provided list is too old.'),
  'future-revision': () => apiErrors.timeout('Too large resource version', 1),
  unavailable: ({ message }) => apiErrors.serviceUnavailable(`${UNAVAILABLE}: ${message}`),
  closed: () => apiErrors.serviceUnavailable('the server is shutting down'),
  locked: () => apiErrors.serviceUnavailable(UNAVAILABLE),
  full: ({ message }) => apiErrors.internal(`no space is left for the data of the server: ${message}`),
  corrupt: () => apiErrors.internal('the data of the server is damaged'),
  unreadable: ({ message }) => apiErrors.internal(message),
  invalid: (error) => apiErrors.badRequest(error.message),
};

/** Undefined for everything else: a bug, or a client that has disconnected. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return error instanceof StoreError ? TABLE[error.code](error) : undefined;
}
