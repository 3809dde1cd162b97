// What one operation stashes: the values that its result does not show, and a witness of the result they
// belong to.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';
import { type Held, Hole } from '../site/slot.ts';

/** What a list of operations stashes, by the keys of the operations. */
export type StashNode = JsonObject;

/**
 * `w`: witness of the result; `d`: how many parents of each of its slots existed; `v`: what was there before.
 */
export interface SlotEntry {
  readonly w: string;
  readonly d: readonly number[];
  readonly v: readonly Held[];
}

export function encodeEntry({ w, d, v }: SlotEntry): JsonObject {
  return { w, d: [...d], v: v.map(encodeHeld) };
}

/**
 * Nothing is 0, a value is in a list, a hole is an object: shorter than names, and JSON has no other way to
 * distinguish them.
 */
function encodeHeld(held: Held): JsonValue {
  if (held === undefined) return 0;
  return held instanceof Hole ? { d: held.depth, v: held.value } : [held];
}

export function decodeEntry(entry: JsonValue, places: number): SlotEntry {
  if (!isJsonObject(entry)) throw malformed();
  const { w, d, v } = entry;
  if (typeof w !== 'string' || !isNumbers(d, places) || !Array.isArray(v) || v.length !== places)
    throw malformed();
  return { w, d, v: v.map(decodeHeld) };
}

function isNumbers(value: JsonValue | undefined, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every((item) => typeof item === 'number');
}

function decodeHeld(value: JsonValue): Held {
  if (value === 0) return undefined;
  if (Array.isArray(value)) return value[0];
  if (isJsonObject(value) && typeof value['d'] === 'number') return new Hole(value['d'], value['v'] ?? null);
  throw malformed();
}

export const malformed = (): LensError =>
  new LensError('stash-malformed', 'the stash of this object is not one that a lens wrote');
