// Whether fields that the schema does not specify are preserved.
import type { SchemaRule } from '../rule.ts';

export const preserveUnknownFields: SchemaRule = {
  kind: 'schema',
  id: 'preserve-unknown-fields',
  title: 'Whether unknown fields are preserved changed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['x-kubernetes-preserve-unknown-fields'],
  explanation:
    'Without x-kubernetes-preserve-unknown-fields the API server silently prunes fields that the schema does not specify, at the next write of every object. The guidelines ask for it in every version, as otherwise a tool cannot see everything that is stored.',
  instead:
    'Keep it, or first declare every field that objects have, and check stored objects with --objects.',
  examples: [
    {
      title: 'unknown fields are pruned',
      old: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      new: field({}),
      severity: 'breaking',
    },
    {
      title: 'unknown fields are preserved',
      old: field({}),
      new: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old, next].map((schema) => schema['x-kubernetes-preserve-unknown-fields'] === true);
    if (was === is) return [];
    return is
      ? [
          {
            severity: 'safe',
            message: 'fields that the schema does not specify are now preserved',
            breaks: [],
          },
        ]
      : [
          {
            severity: 'breaking',
            message: 'fields that the schema does not specify were preserved, and are now pruned',
          },
        ];
  },
};

function field(more: object): object {
  return {
    type: 'object',
    properties: { config: { type: 'object', properties: { a: { type: 'string' } }, ...more } },
  };
}
