import { ApiError } from '@instar/machinery';

/** For work on an object that may have been deleted in the meantime: then there is nothing left to do. */
export async function ignoreNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
