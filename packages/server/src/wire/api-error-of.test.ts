import { apiErrors } from '@instar/machinery';
import { StoreError } from '@instar/store';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from './api-error-of.ts';

describe('apiErrorOf', () => {
  it('returns an ApiError unchanged', () => {
    const error = apiErrors.badRequest('no');
    expect(apiErrorOf(error)).toBe(error);
  });

  it('maps errors of the store', () => {
    expect(apiErrorOf(new StoreError('compacted', 'gone'))?.reason).toBe('Expired');
    expect(apiErrorOf(new StoreError('invalid', 'no such key'))?.message).toBe('no such key');
  });

  it('returns undefined for any other error', () => {
    expect(apiErrorOf(new TypeError('a bug'))).toBeUndefined();
  });
});
