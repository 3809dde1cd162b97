// The one table from storage's errors to the Status that clients know.
import { type ApiError, apiErrors } from '@instar/machinery';
import type { StoreError, StoreErrorCode } from '@instar/store';

const UNAVAILABLE = 'the storage of the server cannot take the request now';

const TABLE: Record<StoreErrorCode, (error: StoreError) => ApiError> = {
  compacted: () => apiErrors.expired('The resourceVersion for the provided list is too old.'),
  'future-revision': () => apiErrors.timeout('Too large resource version', 1),
  unavailable: () => apiErrors.serviceUnavailable(UNAVAILABLE),
  closed: () => apiErrors.serviceUnavailable('the server is shutting down'),
  locked: () => apiErrors.serviceUnavailable(UNAVAILABLE),
  full: () => apiErrors.internal('no space is left for the data of the server'),
  corrupt: () => apiErrors.internal('the data of the server is damaged'),
  invalid: (error) => apiErrors.badRequest(error.message),
};

export function apiErrorOfStore(error: StoreError): ApiError {
  return TABLE[error.code](error);
}
