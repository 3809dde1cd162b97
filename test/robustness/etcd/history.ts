// The requests and responses of clients, and what happened according to the store: check.ts compares them.

export interface Seen {
  readonly revision: number;
  readonly value: string;
}

interface Common {
  readonly client: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** `done`: acknowledged. `refused`: certainly not done. `unknown`: no response. */
export type WriteOutcome =
  | { readonly type: 'done'; readonly revision?: number }
  | { readonly type: 'refused'; readonly why: 'conflict' | 'absent' | 'exists' }
  | { readonly type: 'unknown' };

export type Write = Common & { readonly outcome: WriteOutcome } & (
    | { readonly kind: 'create'; readonly value: string }
    | { readonly kind: 'update'; readonly value: string; readonly expected: number }
    | { readonly kind: 'delete'; readonly expected: number }
  );

/** A read that must be consistent, or (stale) need not be. */
export type Get = Common & { readonly kind: 'get'; readonly stale: boolean; readonly seen: Seen | undefined };
export type List = Omit<Common, 'key'> & {
  readonly kind: 'list';
  readonly revision: number;
  readonly items: ReadonlyMap<string, Seen>;
};

export type Operation = Write | Get | List;

export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

/** The events of one watcher after one list, over any number of connections. */
export interface Segment {
  readonly watcher: string;
  readonly from: number;
  readonly events: WatchedEvent[];
}

/** One change of the store. */
export interface Change {
  readonly key: string;
  readonly revision: number;
  /** Undefined for a deletion. */
  readonly value: string | undefined;
}

export interface History {
  readonly operations: readonly Operation[];
  readonly segments: readonly Segment[];
  /** Everything that happened, in order, as the store's own watch reports it. */
  readonly changes: readonly Change[];
}
