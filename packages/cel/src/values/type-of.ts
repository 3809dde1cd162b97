// The run-time type of a value: parameters are not known at run time, so every list is `list`.
import { HostObject } from './host-object.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { Double, Uint } from './numbers.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import { Duration, Timestamp } from './time.ts';
import {
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listOfDyn,
  mapOfDyn,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './types.ts';
import type { Value } from './value.ts';

const optionalOfDyn = optionalType(dynType);

/** The type of a value at run time. */
export function typeOf(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'string':
      return stringType;
    case 'number':
    case 'bigint':
      return intType;
    default:
      return value === null ? nullType : typeOfObject(value);
  }
}

function typeOfObject(value: Exclude<Value, null>): CelType {
  if (value instanceof CelList) return listOfDyn;
  if (value instanceof CelMap) return mapOfDyn;
  if (value instanceof Double) return doubleType;
  if (value instanceof Uint) return uintType;
  if (value instanceof HostObject) return value.type.object?.isMap === true ? mapOfDyn : value.type;
  if (value instanceof Opaque) return value.type;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Optional) return optionalOfDyn;
  return value instanceof CelType ? typeType : errorType;
}
