// The value of an expression as JSON.
import { CelError, CelList, CelMap, Double, Interrupted, Uint, type Value } from '@instar/cel';
import { type JsonObject, type JsonValue, setMember } from '@instar/machinery';

/** Why an expression gave no JSON. */
export class CelFault extends Error {}

export function jsonOf(value: Value | Interrupted): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof CelError || value instanceof Interrupted) throw new CelFault(value.message);
  if (value instanceof Double || value instanceof Uint) return finite(value.value);
  if (value instanceof CelList) return Array.from({ length: value.size }, (_, i) => jsonOf(value.at(i)));
  if (value instanceof CelMap) return objectOf(value);
  throw new CelFault('the result is not JSON; write string(…) around times and durations');
}

function finite(value: number | bigint): JsonValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new CelFault('the result is not a number');
  return value;
}

function objectOf(map: CelMap): JsonObject {
  const object: JsonObject = {};
  for (const key of map.keys()) {
    if (typeof key !== 'string') throw new CelFault('the keys of the result must be strings');
    setMember(object, key, jsonOf(map.get(key)!));
  }
  return object;
}
