// a[i] and a.f on values whose type is known only at run time: lists, maps, objects, and optionals of them.

import { CelError, noSuchKey } from '../values/error.ts';
import { HostObject } from '../values/host-object.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { Double, Uint } from '../values/numbers.ts';
import { none, Optional, some } from '../values/optional.ts';
import type { Value } from '../values.ts';
import { describe } from './describe.ts';

/** The element, undefined if there is none, or an error if there cannot be one. */
function find(container: Value, key: Value): Value | undefined {
  if (container instanceof CelMap)
    return isKey(key) ? container.get(key) : new CelError('unsupported key type');
  if (container instanceof CelList) return elementOf(container, key);
  if (container instanceof HostObject)
    return typeof key === 'string' ? fieldOf(container, key) : noSuchKey(describe(key));
  return container instanceof CelError ? container : noSuchKey(describe(key));
}

function isKey(key: Value): boolean {
  return typeof key !== 'object' || key instanceof Uint || key instanceof Double;
}

function fieldOf(object: HostObject, name: string): Value | undefined {
  const present = object.has(name);
  if (present instanceof CelError) return present;
  return present || object.type.object!.field(name)!.absent !== undefined ? object.get(name) : undefined;
}

function elementOf(list: CelList, key: Value): Value | undefined {
  const index = wholeIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < list.size ? list.at(index) : undefined;
}

function wholeIndex(key: Value): number | CelError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return -1;
  const value = key instanceof Double || key instanceof Uint ? Number(key.value) : undefined;
  if (value !== undefined && Number.isInteger(value)) return value;
  return new CelError(`unsupported index value: ${describe(key)}`);
}

const missing = (container: Value, key: Value): CelError =>
  container instanceof CelList
    ? new CelError(`index out of bounds: ${describe(key)}`)
    : noSuchKey(describe(key));

/** a[i]. Through an optional the result is an optional. */
export function indexValue(container: Value, key: Value): Value {
  if (container instanceof Optional) return indexOptionally(container, key);
  const found = find(container, key);
  return found === undefined ? missing(container, key) : found;
}

/** a[?i] and a.?f: none instead of an error if the element is missing. */
export function indexOptionally(container: Value, key: Value): Value {
  const inner = container instanceof Optional ? container.value : container;
  if (inner === undefined) return none;
  if (!isContainer(inner)) return inner instanceof CelError ? inner : none;
  const found = inner instanceof HostObject ? presentField(inner, key) : find(inner, key);
  if (found === undefined) return none;
  return found instanceof CelError ? found : some(found);
}

const isContainer = (value: Value): boolean =>
  value instanceof CelMap || value instanceof CelList || value instanceof HostObject;

function presentField(object: HostObject, key: Value): Value | undefined {
  if (typeof key !== 'string') return noSuchKey(describe(key));
  const present = object.has(key);
  if (present instanceof CelError) return present;
  return present ? object.get(key) : undefined;
}

/**
 * has(a.f). False for values without fields; upstream returns an error only on request.
 */
export function hasField(container: Value, name: string): Value {
  if (container instanceof Optional)
    return container.value === undefined ? false : hasField(container.value, name);
  if (container instanceof CelMap) return container.has(name);
  if (container instanceof HostObject) return container.has(name);
  if (container instanceof CelError) return container;
  return container instanceof CelList ? new CelError("unsupported index type 'string' in list") : false;
}
