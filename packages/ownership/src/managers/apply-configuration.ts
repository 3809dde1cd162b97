// Merges a configuration into an object without anyone owning the result: how mutating policies set fields. A
// configuration must not touch what has no parts: lists, maps and structs that are replaced as a whole.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { jsonClone } from '../typed/json-clone.ts';
import { mergeObjects } from '../typed/merge.ts';
import { formOf, type MergeType } from '../typed/merge-type.ts';
import { faultsText, validateApplied } from '../typed/validate.ts';

/** Shares nothing with the input. Throws an Error with upstream's text. */
export function mergeConfiguration(
  object: JsonObject,
  configuration: JsonObject,
  type: MergeType,
): JsonObject {
  const faults = validateApplied(configuration, type);
  if (faults.length > 0)
    throw new Error(`failed to convert patch object to typed object: ${faultsText(faults)}`);
  const whole = atomicsIn(configuration, type, '');
  if (whole.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${whole.join(', ')}`;
    throw new Error(`invalid ApplyConfiguration: ${why}`);
  }
  const liveFaults = validateApplied(object, type, { allowDuplicates: true });
  if (liveFaults.length > 0)
    throw new Error(`failed to convert original object to typed object: ${faultsText(liveFaults)}`);
  return jsonClone(mergeObjects(object, configuration, type)) as JsonObject;
}

/** The paths of atomic values. The keys of maps that are no fields are not looked into, as upstream. */
function atomicsIn(value: JsonValue, type: MergeType, path: string): string[] {
  if (typeof value !== 'object' || value === null || formOf(type, value) === 'scalar') return [];
  if (Array.isArray(value)) {
    const own = type.list?.relation === 'atomic' ? [path] : [];
    const element = type.list?.element;
    if (element === undefined) return own;
    return [...own, ...value.flatMap((item, index) => atomicsIn(item, element, `${path}[${index}]`))];
  }
  const own = type.map?.atomic === true ? [path] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, each]) => {
      const field = type.map?.fields.get(key);
      return field === undefined ? [] : atomicsIn(each, field, `${path}.${key}`);
    }),
  ];
}
