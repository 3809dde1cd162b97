// One text for every JSON value, the same for equal values. Used as a key, and where upstream's messages hold JSON.
import { encodeJson, type JsonValue } from '@instar/machinery';
import { sortedJson } from './sorted.ts';

export function canonicalJson(value: JsonValue): string {
  return encodeJson(sortedJson(value));
}
