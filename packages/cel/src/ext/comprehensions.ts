// Two-variable comprehensions, and cel.bind.
import { functionOf, type Library, overload } from '../extension.ts';
import { bindMacro } from '../macros/bind.ts';
import { mapInsert, twoVariableMacros } from '../macros/two-variable.ts';
import { describe } from '../stdlib/describe.ts';
import { mapOfValue } from '../values/comparable.ts';
import { failure } from '../values/error.ts';
import { type CelMap, mapOf } from '../values/map.ts';
import { mapType, typeParam } from '../values/types.ts';
import type { Value } from '../values.ts';

const key = typeParam('K');
const value = typeParam('V');
const mapOfKV = mapType(key, value);

function pairsOf(value: Value): (readonly [Value, Value])[] {
  const map = mapOfValue(value)!;
  return [...map.keys()].map((each) => [each, map.get(each)!] as const);
}

function insert(into: Value, added: readonly (readonly [Value, Value])[]): Value {
  const map = into as CelMap;
  for (const [each] of added)
    if (map.has(each)) return failure(`insert failed: key ${describe(each)} already exists`);
  return mapOf([...pairsOf(map), ...added]);
}

/** Macros over indexes or keys together with values. */
export const twoVariableLibrary: Library = {
  name: 'two-variable comprehensions',
  macros: twoVariableMacros,
  functions: [
    functionOf(
      mapInsert,
      overload('@mapInsert_map_key_value', [mapOfKV, key, value], mapOfKV, (map, k, v) =>
        insert(map!, [[k!, v!]]),
      ),
      overload('@mapInsert_map_map', [mapOfKV, mapOfKV], mapOfKV, (map, other) =>
        insert(map!, pairsOf(other!)),
      ),
    ),
  ],
};

/** `cel.bind`: local variables. */
export const bindingsLibrary: Library = { name: 'bindings', macros: [bindMacro] };
