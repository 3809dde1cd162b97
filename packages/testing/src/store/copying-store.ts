// A store that returns only copies of byte arrays, like an engine in another process. Callers must not rely
// on the identity of values.
import type {
  Commit,
  CommitResult,
  ListOptions,
  Store,
  StoredEntry,
  StoreEvent,
  WatchOptions,
} from '@instar/store';

/** A store whose callers get copies, so that they cannot share bytes with it. */
export function copying(store: Store): Store {
  return {
    ...(store.isShared !== undefined && { isShared: store.isShared }),
    get: async (key) => copied(await store.get(key)),
    list: async (options: ListOptions) => {
      const page = await store.list(options);
      return { ...page, entries: page.entries.map(copyOf) };
    },
    commit: async (commit: Commit): Promise<CommitResult> => {
      const result = await store.commit(commit);
      return result.committed ? result : { ...result, current: result.current.map(copyOf) };
    },
    watch: (options: WatchOptions) =>
      store.watch({
        ...options,
        onBatch: ({ revision, events }) => options.onBatch({ revision, events: events.map(copyOfEvent) }),
      }),
    currentRevision: () => store.currentRevision(),
    compactedRevision: () => store.compactedRevision(),
    compact: (revision) => store.compact(revision),
    ...(store.advanceTo && { advanceTo: (revision: number) => store.advanceTo!(revision) }),
    close: () => store.close(),
  };
}

const copyOf = (entry: StoredEntry): StoredEntry => ({ ...entry, value: Uint8Array.from(entry.value) });
const copied = (entry: StoredEntry | undefined): StoredEntry | undefined => entry && copyOf(entry);

function copyOfEvent(event: StoreEvent): StoreEvent {
  const { entry, previous } = event;
  return {
    ...event,
    ...(entry && { entry: copyOf(entry) }),
    ...(previous && { previous: copyOf(previous) }),
  };
}
