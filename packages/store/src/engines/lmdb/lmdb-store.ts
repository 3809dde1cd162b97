import type { EngineOptions } from '../../options.ts';
import { type Store, StoreError } from '../../store.ts';

export async function openLmdbStore(_directory: string, _options: EngineOptions): Promise<Store> {
  throw new StoreError('invalid', 'lmdb: is not there yet');
}
