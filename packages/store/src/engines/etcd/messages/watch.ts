// etcd's messages for watches.
import type { StoreEvent } from '../../../store.ts';
import { decodeEntry, decodeHeader, type KeyRange } from './kv.ts';
import { MessageReader, MessageWriter } from './wire.ts';

export interface WatchResponse {
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Not 0: the watch began before this revision, whose history is compacted. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More events of the last revision may follow. */
  readonly fragment: boolean;
  readonly events: StoreEvent[];
}

/** All watches here want values before and after, large batches in fragments, and progress notifications. */
export function encodeWatchCreate({ key, end }: KeyRange, startRevision: number): Buffer {
  const create = new MessageWriter().bytes(1, key);
  if (end !== undefined) create.bytes(2, end);
  create.number(3, startRevision).flag(4, true).flag(6, true).flag(8, true);
  return new MessageWriter().bytes(1, create.finish()).finish();
}

export const encodeWatchProgress = (): Buffer => new MessageWriter().bytes(3, new Uint8Array(0)).finish();

export function decodeWatch(bytes: Buffer, keyOffset: number): WatchResponse {
  const reader = new MessageReader(bytes);
  const events: StoreEvent[] = [];
  const flags = { created: false, canceled: false, fragment: false };
  let [revision, compactRevision, cancelReason] = [0, 0, ''];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = decodeHeader(reader.bytes());
    else if (field === 3) flags.created = reader.flag();
    else if (field === 4) flags.canceled = reader.flag();
    else if (field === 5) compactRevision = reader.number();
    else if (field === 6) cancelReason = reader.text();
    else if (field === 7) flags.fragment = reader.flag();
    else if (field === 11) events.push(decodeEvent(reader.bytes(), keyOffset));
    else reader.skip();
  }
  return { revision, ...flags, compactRevision, cancelReason, events };
}

function decodeEvent(bytes: Buffer, keyOffset: number): StoreEvent {
  const reader = new MessageReader(bytes);
  let [isDelete, entryBytes, previousBytes]: [boolean, Buffer | undefined, Buffer | undefined] = [
    false,
    undefined,
    undefined,
  ];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) isDelete = reader.flag();
    else if (field === 2) entryBytes = reader.bytes();
    else if (field === 3) previousBytes = reader.bytes();
    else reader.skip();
  }
  const { entry } = decodeEntry(entryBytes!, keyOffset);
  const previous = previousBytes && decodeEntry(previousBytes, keyOffset).entry;
  const common = { key: entry.key, revision: entry.modRevision, ...(previous && { previous }) };
  return isDelete ? { type: 'delete', ...common } : { type: 'put', ...common, entry };
}
