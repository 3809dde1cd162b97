// A field without a description.
import type { NodeLintRule } from '../lint-rule.ts';

export const missingDescription: NodeLintRule = {
  kind: 'node',
  id: 'missing-description',
  title: 'A field without a description',
  explanation:
    'kubectl explain shows descriptions; only they document what unset means and whether an enum is open.',
  instead: 'Document what the field does, what unset means and what the limits are.',
  profiles: { default: 'info', 'gateway-api': 'warning', strict: 'warning' },
  examples: [
    { title: 'missing', spec: { type: 'object', properties: { size: { type: 'integer' } } }, found: true },
    {
      title: 'described',
      spec: { type: 'object', properties: { size: { type: 'integer', description: 'How large it is.' } } },
      found: false,
    },
  ],
  look: ({ schema, name, path }) =>
    name !== '' && path !== 'spec' && path !== 'status' && (schema.description ?? '').trim() === ''
      ? 'has no description'
      : undefined,
};
