// Whether a value has a declared type, as far as that is known at run time (the elements of a list are not).
import { mapOfValue } from '../values/comparable.ts';
import { HostObject } from '../values/host-object.ts';
import { CelList } from '../values/list.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Opaque } from '../values/opaque.ts';
import { Optional } from '../values/optional.ts';
import { Duration, Timestamp } from '../values/time.ts';
import type { CelType } from '../values/types.ts';
import { CelType as TypeValue } from '../values/types.ts';
import type { Value } from '../values.ts';

export type Matcher = (value: Value) => boolean;

const isMap: Matcher = (value) => mapOfValue(value) !== undefined;
const isObject: Matcher = (value) => value instanceof HostObject;

/** Undefined if any value matches. */
export function matcherOf(type: CelType): Matcher | undefined {
  if (type.nullable) return undefined;
  switch (type.kind) {
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return (value) => typeof value === 'number' || typeof value === 'bigint';
    case 'string':
      return (value) => typeof value === 'string';
    case 'null':
      return (value) => value === null;
    case 'list':
      return listMatcher(type);
    case 'map':
      return isMap;
    case 'object':
      return isObject;
    case 'opaque':
      return opaqueMatcher(type.name);
    case 'uint':
      return (value) => value instanceof Uint;
    case 'double':
      return (value) => value instanceof Double;
    case 'bytes':
      return (value) => value instanceof Uint8Array;
    case 'timestamp':
      return (value) => value instanceof Timestamp;
    case 'duration':
      return (value) => value instanceof Duration;
    case 'type':
      return (value) => value instanceof TypeValue;
    case 'dyn':
    case 'any':
    case 'param':
    case 'error':
      return undefined;
  }
}

/**
 * Overloads may differ only in their element type; the first element decides, as upstream.
 */
function listMatcher(type: CelType): Matcher {
  const element = type.params[0] === undefined ? undefined : matcherOf(type.params[0]);
  if (element === undefined) return (value) => value instanceof CelList;
  return (value) => value instanceof CelList && (value.size === 0 || element(value.at(0)));
}

function opaqueMatcher(name: string): Matcher {
  if (name === 'optional_type') return (value) => value instanceof Optional;
  return (value) => value instanceof Opaque && value.type.name === name;
}
