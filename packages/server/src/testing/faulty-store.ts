// A real store whose watches can be made to end, as they do when etcd is unreachable or their revision was
// compacted.
import {
  openStore,
  type Store,
  StoreError,
  type StoreOptions,
  type StoreWatch,
  type WatchOptions,
} from '@instar/store';
import { copying } from '@instar/testing/store';

export interface FaultyStore extends Store {
  /** Ends every watch that is open. */
  endWatches(code?: StoreError['code']): void;
  /** How many watches are open. */
  readonly watchCount: number;
}

export async function openFaultyStore(options: StoreOptions = {}, copies = false): Promise<FaultyStore> {
  const memory = await openStore('memory:', options);
  const store = copies ? copying(memory) : memory;
  const open = new Map<StoreWatch, WatchOptions>();
  const watch = (watchOptions: WatchOptions): StoreWatch => {
    const inner = store.watch({
      ...watchOptions,
      onEnd: (error) => {
        open.delete(outer);
        watchOptions.onEnd(error);
      },
    });
    const outer: StoreWatch = {
      stop() {
        open.delete(outer);
        inner.stop();
      },
    };
    open.set(outer, watchOptions);
    return outer;
  };
  return {
    get: (key) => store.get(key),
    list: (listOptions) => store.list(listOptions),
    commit: (commit) => store.commit(commit),
    currentRevision: () => store.currentRevision(),
    compactedRevision: () => store.compactedRevision(),
    compact: (revision) => store.compact(revision),
    close: () => store.close(),
    watch,
    endWatches(code = 'unavailable') {
      for (const [stream, { onEnd }] of [...open]) {
        stream.stop();
        onEnd(new StoreError(code, 'the watch was ended by a test'));
      }
    },
    get watchCount() {
      return open.size;
    },
  };
}
