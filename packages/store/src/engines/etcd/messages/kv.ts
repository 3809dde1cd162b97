// etcd's messages for keys and values: ranges, transactions, compaction. Field numbers are those of etcd's
// rpc.proto and kv.proto.
import type { StoredEntry } from '../../../store.ts';
import { MessageReader, MessageWriter } from './wire.ts';

export interface KeyRange {
  readonly key: Uint8Array;
  /** Exclusive; without it only the one key. */
  readonly end?: Uint8Array;
}

export interface RangeRequest extends KeyRange {
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  readonly entries: StoredEntry[];
  /** How often each entry has been written since it was created. */
  readonly versions: number[];
  readonly more: boolean;
  /** Of the whole range, whatever the limit. */
  readonly count: number;
}

interface Compare {
  readonly key: Uint8Array;
  readonly target: 'version' | 'mod';
  readonly equals: number;
}

export type RequestOp =
  | { readonly type: 'range'; readonly range: RangeRequest }
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array; readonly lease?: number }
  | { readonly type: 'delete'; readonly key: Uint8Array };

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** What the ranges among the operations found, in order. */
  readonly ranges: RangeResponse[];
}

export function encodeRange({
  key,
  end,
  limit = 0,
  revision = 0,
  keysOnly = false,
  countOnly = false,
}: RangeRequest): Buffer {
  const writer = new MessageWriter().bytes(1, key);
  if (end !== undefined) writer.bytes(2, end);
  return writer.number(3, limit).number(4, revision).flag(8, keysOnly).flag(9, countOnly).finish();
}

export function decodeRange(bytes: Buffer, keyOffset: number): RangeResponse {
  const reader = new MessageReader(bytes);
  const entries: StoredEntry[] = [];
  const versions: number[] = [];
  let [revision, more, count] = [0, false, 0];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = decodeHeader(reader.bytes());
    else if (field === 2) {
      const { entry, version } = decodeEntry(reader.bytes(), keyOffset);
      entries.push(entry);
      versions.push(version);
    } else if (field === 3) more = reader.flag();
    else if (field === 4) count = reader.number();
    else reader.skip();
  }
  return { revision, entries, versions, more, count };
}

const TARGETS = { version: { target: 0, field: 4 }, mod: { target: 2, field: 6 } } as const;

function encodeCompare({ key, target, equals }: Compare): Buffer {
  const { target: number, field } = TARGETS[target];
  const writer = new MessageWriter().number(2, number).bytes(3, key);
  // A oneof: zero must be written, or etcd sees no value to compare with.
  return Buffer.concat([
    writer.finish(),
    equals === 0 ? Buffer.from([field * 8, 0]) : new MessageWriter().number(field, equals).finish(),
  ]);
}

function encodeOp(op: RequestOp): Buffer {
  switch (op.type) {
    case 'range':
      return new MessageWriter().bytes(1, encodeRange(op.range)).finish();
    case 'put':
      return new MessageWriter()
        .bytes(
          2,
          new MessageWriter()
            .bytes(1, op.key)
            .bytes(2, op.value)
            .number(3, op.lease ?? 0)
            .finish(),
        )
        .finish();
    case 'delete':
      return new MessageWriter().bytes(3, new MessageWriter().bytes(1, op.key).finish()).finish();
  }
}

export function encodeTxn({ compare, success, failure }: TxnRequest): Buffer {
  const writer = new MessageWriter();
  for (const one of compare) writer.bytes(1, encodeCompare(one));
  for (const op of success) writer.bytes(2, encodeOp(op));
  for (const op of failure) writer.bytes(3, encodeOp(op));
  return writer.finish();
}

export function decodeTxn(bytes: Buffer, keyOffset: number): TxnResponse {
  const reader = new MessageReader(bytes);
  const ranges: RangeResponse[] = [];
  let [revision, succeeded] = [0, false];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = decodeHeader(reader.bytes());
    else if (field === 2) succeeded = reader.flag();
    else if (field === 3) {
      const range = decodeRangeOp(reader.bytes(), keyOffset);
      if (range !== undefined) ranges.push(range);
    } else reader.skip();
  }
  return { revision, succeeded, ranges };
}

function decodeRangeOp(bytes: Buffer, keyOffset: number): RangeResponse | undefined {
  const reader = new MessageReader(bytes);
  return reader.next() === 1 ? decodeRange(reader.bytes(), keyOffset) : undefined;
}

/** `physical: false`: answered when the history is inaccessible, not when its space is free. */
export const encodeCompaction = (revision: number): Buffer =>
  new MessageWriter().number(1, revision).finish();

/** The revision that every answer names. */
export function decodeHeader(bytes: Buffer): number {
  const reader = new MessageReader(bytes);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 3) return reader.number();
    reader.skip();
  }
  return 0;
}

/** The header of an answer whose rest is not needed. */
export function decodeHeaderOnly(bytes: Buffer): number {
  const reader = new MessageReader(bytes);
  return reader.next() === 1 ? decodeHeader(reader.bytes()) : 0;
}

export interface DecodedEntry {
  readonly entry: StoredEntry;
  readonly version: number;
}

/**
 * Only what follows the first `keyOffset` bytes of the key. The value is a copy: it may be kept for long, and
 * must not keep its page alive.
 */
export function decodeEntry(bytes: Buffer, keyOffset: number): DecodedEntry {
  const reader = new MessageReader(bytes);
  let key = '';
  let value: Uint8Array = NO_BYTES;
  let [createRevision, modRevision, version] = [0, 0, 0];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = reader.bytes().toString('utf8', keyOffset);
    else if (field === 2) createRevision = reader.number();
    else if (field === 3) modRevision = reader.number();
    else if (field === 4) version = reader.number();
    else if (field === 5) value = Buffer.from(reader.bytes());
    else reader.skip();
  }
  return { entry: { key, value, createRevision, modRevision }, version };
}

const NO_BYTES = new Uint8Array(0);
