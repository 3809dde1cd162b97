// Whether fields that the schema does not know are kept.
import type { SchemaRule } from '../rule.ts';

export const preserveUnknownFields: SchemaRule = {
  kind: 'schema',
  id: 'preserve-unknown-fields',
  title: 'Whether unknown fields are kept changed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['x-kubernetes-preserve-unknown-fields'],
  explanation:
    'Without x-kubernetes-preserve-unknown-fields the API server drops what the schema does not declare, silently, at the next write of every object. The guidelines ask for it in every version, as only so can a tool see everything that is stored.',
  instead:
    'Keep it, or declare every field that objects hold first, and check stored objects with --objects.',
  examples: [
    {
      title: 'unknown fields are dropped',
      old: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      new: field({}),
      severity: 'breaking',
    },
    {
      title: 'unknown fields are kept',
      old: field({}),
      new: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old, next].map((schema) => schema['x-kubernetes-preserve-unknown-fields'] === true);
    if (was === is) return [];
    return is
      ? [{ severity: 'safe', message: 'fields that the schema does not know are kept now', breaks: [] }]
      : [
          {
            severity: 'breaking',
            message: 'fields that the schema does not know were kept, and are dropped now',
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
