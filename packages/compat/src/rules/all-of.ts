// allOf: its limits, enums, patterns and required fields are read as part of the schema that contains it, by
// their own rules. This rule compares the rest.

import type { JSONSchemaProps } from '@instar/schema';
import { shapeOf } from '../fields/likeness.ts';
import type { SchemaRule } from '../rule.ts';
import { conjunctsOf } from '../walk/node-pair.ts';

export const allOf: SchemaRule = {
  kind: 'schema',
  id: 'all-of',
  title: 'The schemas in allOf changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['allOf'],
  explanation:
    'A value must match every schema in allOf: an additional one refuses values that were valid, one fewer refuses none.',
  instead: 'Make the change in a new version.',
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
      return [{ severity: 'unsure', message: `${removed} of the schemas in allOf changed` }];
    if (added > 0)
      return [
        { severity: 'breaking', message: `must match ${added} more ${added === 1 ? 'schema' : 'schemas'}` },
      ];
    return removed > 0
      ? [
          {
            severity: 'safe',
            message: `no longer has to match ${removed} of the schemas in allOf`,
            breaks: [],
          },
        ]
      : [];
  },
};

/** What remains of each schema without the keywords that have their own rules. */
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
