// Opens a storage by its URL. The directory of `lmdb:` is created first, by our own code: Node's mkdir would
// hang where it cannot be created.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeDirectory } from '@instar/serving';
import {
  openForReading,
  openStore,
  type ReadableStore,
  type Store,
  StoreError,
  type StoreOptions,
} from '@instar/store';
import { fileProblem } from '../file-problem.ts';

export async function openStorage(url: string, options: StoreOptions): Promise<Store> {
  const [, directory] = /^lmdb:(.+)$/.exec(url) ?? [];
  if (directory !== undefined) await makeDirectory(resolve(directory)).catch(cannotMake(resolve(directory)));
  return openStore(url, options);
}

/** To be read while another process writes to it. `hint` says how to name another one. */
export async function openSource(url: string, options: StoreOptions, hint: string): Promise<ReadableStore> {
  const [, directory] = /^lmdb:(.+)$/.exec(url) ?? [];
  if (directory !== undefined && !(await isDirectory(directory)))
    throw new StoreError('invalid', `there is no data in ${directory}: ${hint}`);
  return openForReading(url, options);
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const cannotMake = (directory: string) => (error: NodeJS.ErrnoException) => {
  const why = error.code === undefined ? 'the system does not allow creating it' : fileProblem(error);
  throw new StoreError('unavailable', `there can be no data in ${directory}: ${why}`, { cause: error });
};
