// Fingerprints of values: 53 bits, the same for equal values whatever the order of their keys. Not secret and
// not meant to resist attacks: a client that can write an object can write its stash too.
import type { JsonValue } from '@instar/machinery';
import { type Held, seenIn } from '../site/slot.ts';

const PRIME_A = 0x85ebca6b;
const PRIME_B = 0xc2b2ae35;

export function witnessOf(value: JsonValue | undefined): string {
  return value === undefined ? '0' : hash(value).toString(36);
}

/** Of several slots together. */
export function witnessOfAll(held: readonly Held[]): string {
  if (held.length === 1) return witnessOf(seenIn(held[0]));
  let a = 0x9e3779b9;
  let b = held.length;
  for (const one of held) {
    const value = seenIn(one);
    const h = value === undefined ? 7 : hash(value);
    a = Math.imul(a ^ (h >>> 0), PRIME_A);
    b = Math.imul(b ^ Math.floor(h / 0x100000000), PRIME_B) ^ (a >>> 13);
  }
  return joined(a, b).toString(36);
}

function hash(value: JsonValue): number {
  switch (typeof value) {
    case 'string':
      return hashText(value, 1);
    case 'number':
    case 'bigint':
      return hashText(String(value), 2);
    case 'boolean':
      return value ? 0x5bd1e995 : 0x1b873593;
    default:
      return value === null ? 0x27d4eb2f : Array.isArray(value) ? hashList(value) : hashObject(value);
  }
}

/** Two streams of 32 bits, of which 53 bits are kept. */
function hashText(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), PRIME_A) ^ Math.imul(b ^ (b >>> 13), PRIME_B);
  b = Math.imul(b ^ (b >>> 16), PRIME_A) ^ Math.imul(a ^ (a >>> 13), PRIME_B);
  return joined(a, b);
}

const joined = (a: number, b: number): number => (b & 0x1fffff) * 0x100000000 + (a >>> 0);

function hashList(items: readonly JsonValue[]): number {
  let a = items.length;
  let b = 0x165667b1;
  for (const item of items) {
    const h = hash(item);
    a = Math.imul(a ^ (h >>> 0), PRIME_A);
    b = Math.imul(b ^ Math.floor(h / 0x100000000), PRIME_B) ^ (a >>> 15);
  }
  return joined(a, b);
}

/** A sum over the members, so that their order does not matter. */
function hashObject(object: { readonly [key: string]: JsonValue }): number {
  let a = 0x2f0b4c47;
  let b = 0x7feb352d;
  for (const key of Object.keys(object)) {
    const h = hashMember(key, object[key]!);
    a = (a + (h >>> 0)) | 0;
    b = (b + Math.floor(h / 0x100000000)) | 0;
  }
  return joined(a, b);
}

function hashMember(key: string, value: JsonValue): number {
  const k = hashText(key, 3);
  const v = hash(value);
  const a = Math.imul((k >>> 0) ^ PRIME_A, (v >>> 0) | 1) ^ (v >>> 0);
  const b = Math.imul(Math.floor(k / 0x100000000) ^ PRIME_B, Math.floor(v / 0x100000000) | 1) ^ (a >>> 11);
  return joined(a ^ (k >>> 0), b);
}

/**
 * One short fingerprint per member, to distinguish an edited item from a replaced one. Sorted, so that order
 * does not matter.
 */
export function memberWitnesses(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [witnessOf(value)];
  return Object.keys(value)
    .map((key) => (hashMember(key, value[key]!) % 0x10000000).toString(36))
    .sort();
}
