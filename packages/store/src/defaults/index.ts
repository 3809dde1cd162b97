// What engines do unless they are told otherwise. It imports nothing, so that commands can show it in their
// help without loading a store.

/** How long past revisions can be read. */
export const DEFAULT_HISTORY_SECONDS = 300;
