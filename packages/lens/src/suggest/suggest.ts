// From two schemas to the operations that probably lead from one to the other. A proposal: someone who knows
// the versions must review it.
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { printPath } from '../path/path.ts';
import { type ChangedField, differencesOf, type Field } from './differences.ts';
import { matchFields } from './match-fields.ts';
import { proposeChange } from './propose-change.ts';
import type { Suggestion } from './suggestion.ts';

/** In an order in which they can be run. */
export function suggest(before: JSONSchemaProps, after: JSONSchemaProps): Suggestion[] {
  const { gone, fresh, changed, newlyRequired, noLongerRequired, otherDefaults } = differencesOf(
    before,
    after,
  );
  const matched = matchFields(gone, fresh);
  return [
    ...matched.suggestions,
    ...changed.flatMap(proposeChange),
    ...matched.gone.map(removal),
    ...matched.fresh.map(addition),
    ...newlyRequired.map((field) => requirement(field, 'value')),
    ...noLongerRequired.map((field) => requirement(field, 'back')),
    ...otherDefaults.flatMap(ownDefaults),
  ];
}

function removal({ path, schema, isRequired }: Field): Suggestion {
  const at = printPath(path);
  if (!isRequired)
    return { op: { remove: { path: at } }, confidence: 0.8, why: 'nothing in the new version is like it' };
  return {
    op: { remove: { path: at, default: guess(schema) } },
    confidence: 0.4,
    why: 'nothing is like it and the old version requires it; the default is a guess',
  };
}

function addition({ path, schema, isRequired }: Field): Suggestion {
  const at = printPath(path);
  if (schema.default !== undefined)
    return {
      op: { add: { path: at, default: schema.default } },
      confidence: 0.8,
      why: 'nothing in the old version is like it',
    };
  if (!isRequired)
    return { op: { add: { path: at } }, confidence: 0.8, why: 'nothing in the old version is like it' };
  return {
    op: { add: { path: at, default: guess(schema) } },
    confidence: 0.4,
    why: 'nothing is like it and the new version requires it; the default is a guess',
  };
}

function requirement({ path, schema }: Field, direction: 'value' | 'back'): Suggestion {
  const which = direction === 'value' ? 'new' : 'old';
  return {
    op: { default: { path: printPath(path), [direction]: guess(schema) } },
    confidence: 0.4,
    why: `only the ${which} version requires it; the value is a guess`,
  };
}

/** So that what a server defaults does not come back as if a client had written it. */
function ownDefaults({ path, before, after }: ChangedField): Suggestion[] {
  const values = {
    ...(after.default !== undefined && { value: after.default }),
    ...(before.default !== undefined && { back: before.default }),
  };
  return [
    {
      op: { default: { path: printPath(path), ...values } },
      confidence: 0.8,
      why: 'the versions have other defaults',
    },
  ];
}

/** The simplest value that the schema allows. */
function guess(schema: JSONSchemaProps): JsonValue {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined && schema.enum.length > 0) return schema.enum[0]!;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, guess(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return schema['x-kubernetes-int-or-string'] === true ? 0 : {};
  }
}
