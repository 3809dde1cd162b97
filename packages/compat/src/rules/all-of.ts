// allOf: limits, enums, patterns and required fields in it are read as part of the schema that holds it, by
// their own rules. This one has the rest.

import type { JSONSchemaProps } from '@instar/schema';
import { shapeOf } from '../fields/likeness.ts';
import type { SchemaRule } from '../rule.ts';
import { conjunctsOf } from '../walk/node-pair.ts';

export const allOf: SchemaRule = {
  kind: 'schema',
  id: 'all-of',
  title: 'What a value must match besides changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['allOf'],
  explanation:
    'Every schema in allOf must be matched too: one more refuses values that were valid, one fewer refuses none.',
  instead: 'Say it in a new version.',
  examples: [
    {
      title: 'introduced',
      old: field({}),
      new: field({ allOf: [{ not: { enum: ['x'] } }] }),
      severity: 'breaking',
    },
    { title: 'removed', old: field({ allOf: [{ not: { enum: ['x'] } }] }), new: field({}), severity: 'safe' },
    {
      title: 'the same limit in another place',
      old: field({ allOf: [{ maxLength: 5 }] }),
      new: field({ maxLength: 5 }),
      severity: 'none',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [restsOf(old), restsOf(next)];
    const added = is.filter((rest) => !was.includes(rest)).length;
    const removed = was.filter((rest) => !is.includes(rest)).length;
    if (added > 0 && removed > 0)
      return [
        { severity: 'unsure', message: `${removed} of the schemas that it must match besides changed` },
      ];
    if (added > 0)
      return [
        { severity: 'breaking', message: `must match ${added} more ${added === 1 ? 'schema' : 'schemas'}` },
      ];
    return removed > 0
      ? [{ severity: 'safe', message: `need not match ${removed} of the schemas besides`, breaks: [] }]
      : [];
  },
};

/** What remains of each member once the keywords with rules of their own are taken out. */
function restsOf(schema: JSONSchemaProps): string[] {
  return conjunctsOf(schema)
    .slice(1)
    .map(
      ({
        maxLength,
        minLength,
        maxItems,
        minItems,
        maxProperties,
        minProperties,
        enum: listed,
        pattern,
        required,
        maximum,
        minimum,
        exclusiveMaximum,
        exclusiveMinimum,
        allOf: deeper,
        ...rest
      }) => shapeOf(rest),
    )
    .filter((rest) => rest !== '{}');
}

function field(more: object): object {
  return { type: 'object', properties: { name: { type: 'string', ...more } } };
}
