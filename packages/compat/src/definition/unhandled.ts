// Which parts of two definitions differ that no rule covers. Parts are named by dots, down to where a rule
// claims them.
import type { CustomResourceDefinition } from '@instar/crd';
import { deepEqual, isJsonObject, type JsonValue } from '@instar/machinery';
import { DEFINITION_RULES, VERSION_RULES } from '../rules/index.ts';

const CLAIMED = new Set([
  ...DEFINITION_RULES.flatMap(({ keywords }) => keywords),
  ...VERSION_RULES.flatMap(({ keywords }) => keywords.map((key) => `spec.versions.${key}`)),
  // These do not depend on the author: the same in all definitions, or written by the API server.
  'apiVersion',
  'kind',
  'status',
  'spec.versions.name',
  'spec.versions.storage',
]);

export function unhandledKeys(was: CustomResourceDefinition, is: CustomResourceDefinition): string[] {
  const ofVersions = is.spec.versions.flatMap((after) => {
    const before = was.spec.versions.find(({ name }) => name === after.name);
    return before === undefined ? [] : differences(asJson(before), asJson(after), 'spec.versions');
  });
  return [...new Set([...differences(asJson(was), asJson(is), ''), ...ofVersions])];
}

const asJson = (value: unknown): JsonValue => value as JsonValue;

function differences(was: JsonValue | undefined, is: JsonValue | undefined, path: string): string[] {
  if (CLAIMED.has(path) && path !== 'spec.versions') return [];
  if (deepEqual(was, is)) return [];
  if (!isJsonObject(was) || !isJsonObject(is)) return path === 'spec.versions' ? [] : [path];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(was[key], is[key], path === '' ? key : `${path}.${key}`));
}
