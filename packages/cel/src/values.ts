// All CEL values, for the rest of the package.
export { equalValues } from './values/equality.ts';
export {
  CelError,
  noSuchOverload,
} from './values/error.ts';
export { HostObject } from './values/host-object.ts';
export { CelList, listOf } from './values/list.ts';
export { CelMap, mapOf } from './values/map.ts';
export { Double, intOf, Uint, uintOf } from './values/numbers.ts';
export { Opaque } from './values/opaque.ts';
export { none, Optional, some } from './values/optional.ts';
export { sizeOf } from './values/size.ts';
export { Duration, Timestamp } from './values/time.ts';
export { typeOf } from './values/type-of.ts';
export type { Int, Value } from './values/value.ts';
