// A list without a limit.
import { limitOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const unboundedList: NodeLintRule = {
  kind: 'node',
  id: 'unbounded-list',
  title: 'A list without a limit',
  explanation:
    'The cost of every rule below a list without maxItems is estimated as if the list were very long, and adding a limit later is a breaking change.',
  instead: 'Set a generous maxItems from the start.',
  profiles: { 'gateway-api': 'error', strict: 'warning' },
  examples: [
    {
      title: 'no limit',
      spec: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } } },
      found: true,
    },
    {
      title: 'a limit',
      spec: {
        type: 'object',
        properties: { names: { type: 'array', maxItems: 16, items: { type: 'string' } } },
      },
      found: false,
    },
  ],
  look: ({ schema, inStatus }) =>
    schema.type === 'array' && !inStatus && limitOf(schema, 'maxItems') === undefined
      ? 'has no maxItems'
      : undefined,
};
