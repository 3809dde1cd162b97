// A boolean can never get a third value.
import type { NodeLintRule } from '../lint-rule.ts';

export const noBool: NodeLintRule = {
  kind: 'node',
  id: 'no-bool',
  title: 'A boolean can never get a third value',
  explanation:
    'A boolean can only be true or false: a third value requires another type, which breaks all clients. The talk advises enumerated strings that are declared open for changes.',
  instead:
    'Use a string with values such as Enabled and Disabled, and document in its description that values may be added.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    {
      title: 'a switch',
      spec: { type: 'object', properties: { enableAwesomeness: { type: 'boolean' } } },
      found: true,
    },
    {
      title: 'a level',
      spec: { type: 'object', properties: { awesomenessLevel: { type: 'string' } } },
      found: false,
    },
  ],
  look: ({ schema, inStatus }) => (schema.type === 'boolean' && !inStatus ? 'is a boolean' : undefined),
};
