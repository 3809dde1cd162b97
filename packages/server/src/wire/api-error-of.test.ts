import { apiErrors } from '@instar/machinery';
import { StoreError } from '@instar/store';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from './api-error-of.ts';

describe('what was thrown, as a Status', () => {
  it('is an ApiError as it is', () => {
    const error = apiErrors.badRequest('no');
    expect(apiErrorOf(error)).toBe(error);
  });

  it('is what the table says of an error of the store', () => {
    expect(apiErrorOf(new StoreError('compacted', 'gone'))?.reason).toBe('Expired');
    expect(apiErrorOf(new StoreError('invalid', 'no such key'))?.message).toBe('no such key');
  });

  it('is unknown for anything else', () => {
    expect(apiErrorOf(new TypeError('a bug'))).toBeUndefined();
  });
});
